import OpenAI from "openai";
import { describe, expect, test } from "vitest";
import { chunks, jsonAnswer, render } from "../../src/harness/bytes.ts";
import { inProcess } from "../../src/harness/host.ts";
import { allRepliesFor } from "../../src/harness/scenarios.ts";
import type { Frames } from "../../src/wire.ts";
import { openaiResponsesWire as wire } from "../../src/wires/openai-responses/index.ts";
import { sdkOptions } from "../sdk-options.ts";

const ask = { model: "gpt-5.5", input: "Go." } satisfies OpenAI.Responses.ResponseCreateParams;
const replies = allRepliesFor(wire);

const client = (host = inProcess()) => ({ host, sdk: new OpenAI(sdkOptions(host)) });
const blocks = (output: readonly OpenAI.Responses.ResponseOutputItem[]): readonly unknown[] =>
  output.flatMap((item): readonly unknown[] => {
    if (item.type === "function_call")
      return [{ name: item.name, id: item.call_id, input: JSON.parse(item.arguments) }];
    if (item.type !== "message") return [item];
    return item.content.flatMap((part) => {
      const text = part.type === "refusal" ? part.refusal : part.text;
      return text === "" ? [] : [{ text }];
    });
  });
const statusOf = (stop: string): string | undefined => stop.split(":")[0];

describe("the official SDK accepts the replies of the wire", () => {
  test.for(replies)("$name, streamed", async ({ reply }) => {
    const { host, sdk } = client();
    host.answer({ chunks: chunks(render(wire, wire.frames(reply)).bytes, 64) });
    const response = await sdk.responses.stream(ask).finalResponse();
    expect(blocks(response.output)).toEqual(reply.blocks);
    expect(response.status).toBe(statusOf(reply.stop));
    expect(response.usage?.output_tokens).toBe(
      reply.stop.startsWith("failed") ? undefined : reply.output,
    );
  });

  test.for(replies)("$name, whole", async ({ reply }) => {
    const { host, sdk } = client();
    host.answer(jsonAnswer(wire.whole?.(reply) ?? ""));
    const response = await sdk.responses.create(ask);
    expect(blocks(response.output)).toEqual(reply.blocks);
    expect(response.status).toBe(statusOf(reply.stop));
  });

  const ended = (wire.fixtures ?? []).filter(
    ({ turn }) => turn.stopReason !== "error" && turn.stopReason !== "interrupted",
  );
  /** The SDK's helper refuses what these gateways leave out or change. */
  const refused: ReadonlySet<string> = new Set([
    "A `done` call that was never added",
    "Pieces of a call that was never added",
    "Item ids that change with every event",
    "Events without an output index",
    "Every item at one output index",
    "Arguments that are `done`, but an item that is not",
    "The input of a custom tool that is `done`, but an item that is not",
    "Pieces of a call, and no event that says that they are complete",
    "One call that is `done` beside one that is not",
    "Pieces without an index that name the call",
    "Two calls, the first without an index and a `call_id`",
    "Two calls without an index and a `call_id`",
    "Two calls that only their tools tell apart",
    "Two calls of one tool that are only `done`, without an index or an id",
    "Two calls that the final response repeats with other ids",
    "One call that is `done` beside pieces that belong to no known call",
    "One call that is `done` beside `done` arguments that belong to no known call",
    "One call that is `done` beside `done` arguments that only name their tool",
    "An output index of null",
    "A call without a `call_id`",
    "The event for a completed response around one without a status",
    "A text reply with the status of another protocol",
    "A reply whose final output lists only its text",
    "A text and a call at one index, whose pieces are interleaved",
    "A custom call that the final output lists as a function call",
    "A call of two types in a reply that the cap cut",
    "A function call whose pieces have the name of a custom tool, under the status `requires_action`",
  ]);
  const final = (frames: Frames): Promise<OpenAI.Responses.Response> => {
    const { host, sdk } = client();
    host.answer({ chunks: [render(wire, frames).bytes] });
    return sdk.responses.stream(ask).finalResponse();
  };
  test.for(ended.filter(({ name }) => !refused.has(name)))("$name", async ({ frames }) => {
    expect((await final(frames)).object).toBe("response");
  });
  test.for(ended.filter(({ name }) => refused.has(name)))(
    "its helper refuses: $name",
    async ({ frames }) => {
      await expect(final(frames)).rejects.toThrow(Error);
    },
  );

  test("an error inside a reply is the SDK's own error, flat or nested", async () => {
    for (const { frame } of (wire.errors ?? []).slice(0, 4)) {
      const { host, sdk } = client();
      host.answer({ chunks: [render(wire, { upToTerminal: [frame] }).bytes] });
      await expect(sdk.responses.stream(ask).finalResponse()).rejects.toThrow(OpenAI.APIError);
    }
  });
});
