import Anthropic from "@anthropic-ai/sdk";
import { describe, expect, test } from "vitest";
import { chunks, jsonAnswer, render } from "../../src/harness/bytes.ts";
import { inProcess } from "../../src/harness/host.ts";
import { allRepliesFor } from "../../src/harness/scenarios.ts";
import { anthropicWire as wire } from "../../src/wires/anthropic/index.ts";
import { sdkOptions } from "../sdk-options.ts";

const ask = {
  model: "claude-sonnet-5-5",
  max_tokens: 1024,
  messages: [{ role: "user", content: "Go." }],
} satisfies Anthropic.MessageCreateParams;
const replies = allRepliesFor(wire);

const client = (host = inProcess()) => ({ host, sdk: new Anthropic(sdkOptions(host)) });
const blocks = (content: readonly Anthropic.ContentBlock[]): readonly unknown[] =>
  content.map((block) => {
    if (block.type === "text") return { text: block.text };
    return block.type === "tool_use"
      ? { name: block.name, id: block.id, input: block.input }
      : block;
  });

describe("the official SDK accepts the replies of the wire", () => {
  test.for(replies)("$name, streamed", async ({ reply }) => {
    const { host, sdk } = client();
    host.answer({ chunks: chunks(render(wire, wire.frames(reply)).bytes, 64) });
    const message = await sdk.messages.stream(ask).finalMessage();
    expect(blocks(message.content)).toEqual(reply.blocks);
    expect(message.stop_reason).toBe(reply.stop);
    expect(message.usage.output_tokens).toBe(reply.output);
  });

  test.for(replies)("$name, whole", async ({ reply }) => {
    const { host, sdk } = client();
    host.answer(jsonAnswer(wire.whole?.(reply) ?? ""));
    const message = await sdk.messages.create(ask);
    expect(blocks(message.content)).toEqual(reply.blocks);
    expect(message.stop_reason).toBe(reply.stop);
  });

  /** The SDK joins all pieces of an input: to two objects, and to `null` before an object. */
  const unreadable: ReadonlySet<string> = new Set([
    "An empty object before the pieces of the input",
    "`null` for empty texts",
  ]);
  const finished = (wire.fixtures ?? []).filter(
    ({ turn, frames }) =>
      turn.stopReason !== "error" &&
      turn.stopReason !== "interrupted" &&
      frames.upToTerminal.at(-1) === '{"type":"message_stop"}',
  );
  test.for(finished)("$name", async ({ name, frames }) => {
    const { host, sdk } = client();
    host.answer({ chunks: [render(wire, frames).bytes] });
    const message = sdk.messages.stream(ask).finalMessage();
    if (unreadable.has(name)) await expect(message).rejects.toThrow("after JSON");
    else expect((await message).role).toBe("assistant");
  });

  test("an error inside a reply is the SDK's own error", async () => {
    const { host, sdk } = client();
    host.answer({
      chunks: [render(wire, { upToTerminal: [wire.errors?.[0]?.frame ?? ""] }).bytes],
    });
    await expect(sdk.messages.stream(ask).finalMessage()).rejects.toThrow("Overloaded");
  });
});
