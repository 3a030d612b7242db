import type { Answer } from "@fullstop/conformance/server";
import { type Message, readTurn, type Turn } from "@fullstop/core";
import { type OpenAIOptions, openai } from "@fullstop/provider-openai";
import {
  added,
  created,
  done,
  type Event,
  ended,
  type Item,
  message,
  messageEvents,
  reasoning,
  reasoningEvents,
  usage,
} from "@tooling/test/openai-responses";
import OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Fields, inputOf } from "./host-wire.ts";
import {
  errorOf,
  expectNoCallIfCut,
  framesOf,
  json,
  type LocalHost,
  localHost,
  streamed,
} from "./local-host.ts";
import { outline } from "./outline.ts";

const baseURL = "https://api.x.ai/v1";
const user: Message = { role: "user", content: "Go." };
const readA = ["tool-use", ["read", { path: "a" }]];
/** An item of a function has no status, and holds its arguments from its first event on. */
const readItem: Item = {
  type: "function_call",
  id: "fc_0d7f672c_call_1",
  call_id: "call_1",
  name: "read",
  arguments: '{"path":"a"}',
};
const readEvents = (at: number): readonly Event[] => [added(at, readItem), done(at, readItem)];
const end = "data: [DONE]";

let host: LocalHost;
beforeAll(async () => {
  host = await localHost("https://api.x.ai");
});
afterAll(() => host.close());

const optionsOf = (): OpenAIOptions => ({ baseURL, apiKey: "xai-1", fetch: host.fetch });
async function ask(
  answer: Answer,
  maxTokens = 1000,
  options: OpenAIOptions = optionsOf(),
  messages: readonly Message[] = [user],
): Promise<Turn> {
  host.answer(answer);
  return readTurn(openai("grok-4.7", options), { messages, maxTokens });
}
const lastBody = (): Fields => JSON.parse(host.requests.at(-1)?.body ?? "{}") as Fields;
const completedWith = (counts: Fields, rest: Fields = {}): Event =>
  ended("completed", { usage: { ...usage, ...counts }, ...rest });

describe("xAI, Responses", () => {
  const thought = reasoning("Hm.", { id: "rs_0d7f672c", status: "completed" });
  const stream = [
    created,
    ...reasoningEvents(0, thought, "Hm."),
    ...readEvents(1),
    completedWith({ num_sources_used: 0, num_server_side_tools_used: 0 }),
    end,
  ];

  test("the address, the key and the body", async () => {
    expect(outline(await ask(streamed(...stream)))).toEqual(readA);
    expect(host.requests.at(-1)?.path).toBe("/v1/responses");
    expect(host.requests.at(-1)?.headers["authorization"]).toBe("Bearer xai-1");
    expect(lastBody()).toMatchObject({
      store: false,
      include: ["reasoning.encrypted_content"],
      max_output_tokens: 1000,
    });
  });

  test("a reply that is cut gives out no call", async () => {
    await expectNoCallIfCut(framesOf(stream.slice(0, -1)), ask);
  });

  test("a call that was only added is not closed", async () => {
    const turn = await ask(
      streamed(created, added(0, readItem), completedWith({}, { output: [] }), end),
    );
    expect(outline(turn)).toEqual(["malformed-tool-call"]);
    expect(turn.withheld).toMatchObject([{ name: "read", reason: "not-closed" }]);
  });

  test("`response.done` ends a reply", async () => {
    const last = { ...completedWith({}), type: "response.done" };
    expect(outline(await ask(streamed(created, ...readEvents(0), last, end)))).toEqual(readA);
  });

  test("encrypted reasoning goes back with its call", async () => {
    const turn = await ask(streamed(...stream));
    const results: Message = {
      role: "tool",
      content: [{ type: "tool-result", id: "call_1", name: "read", content: "ok" }],
    };
    await ask(streamed(created, ...messageEvents(0, "ok"), completedWith({})), 1000, optionsOf(), [
      user,
      turn.message as Message,
      results,
    ]);
    expect(inputOf(lastBody()).slice(1)).toMatchObject([
      thought,
      { type: "function_call", call_id: "call_1", id: readItem["id"] },
      { type: "function_call_output", call_id: "call_1" },
    ]);
  });
});

/** The counts of a reply that xAI sent as `completed` with a cap of 16 (vercel/ai#17936). */
describe("the cap of xAI does not count reasoning", () => {
  const recorded = { output_tokens: 199, output_tokens_details: { reasoning_tokens: 198 } };
  const reply = (counts: Fields, ending = completedWith(counts)): Answer =>
    streamed(created, ...readEvents(0), ending, end);

  test("a finished reply may use more tokens than its cap", async () => {
    expect(outline(await ask(reply(recorded), 16))).toEqual(readA);
    const client = new OpenAI({ baseURL, apiKey: "xai-1", fetch: host.fetch });
    expect(outline(await ask(reply(recorded), 16, { client }))).toEqual(readA);
  });

  test("a reply that used its cap without reasoning was cut", async () => {
    for (const counts of [
      { output_tokens: 16 },
      { output_tokens: 199, output_tokens_details: { reasoning_tokens: 0 } },
      { output_tokens: 199, output_tokens_details: { reasoning_tokens: 183 } },
    ])
      expect(outline(await ask(reply(counts), 16))).toEqual(["length"]);
  });

  test("the steps of its own tools add to the usage, and each may use the whole cap", async () => {
    const steps = { output_tokens: 593, num_server_side_tools_used: 1 };
    expect(outline(await ask(reply(steps), 300))).toEqual(readA);
    expect(outline(await ask(reply({ output_tokens: 593 }), 300))).toEqual(["length"]);
  });

  test("a reply that says that it was cut is cut", async () => {
    const incomplete = { incomplete_details: { reason: "max_output_tokens" } };
    const cut = ended("incomplete", { ...incomplete, usage: { ...usage, ...recorded } });
    const turn = await ask(reply({}, cut), 16);
    expect([...outline(turn), turn.withheld[0]?.reason]).toEqual(["length", "stop-reason"]);
  });

  test("on other hosts the cap counts reasoning", async () => {
    const other = await localHost("https://api.openai.com");
    other.answer(reply(recorded));
    const adapter = openai("gpt-5.5", { apiKey: "k", fetch: other.fetch });
    const turn = await readTurn(adapter, { messages: [user], maxTokens: 16 });
    await other.close();
    expect(outline(turn)).toEqual(["length"]);
  });
});

describe("the tools and errors of xAI", () => {
  test("its searches are steps of its own, beside a call of yours", async () => {
    const search = (type: string, rest: Fields): Item => ({
      type,
      id: `${type}_1`,
      status: "completed",
      ...rest,
    });
    const web = search("web_search_call", { action: { type: "search", query: "", sources: [] } });
    const posts = search("custom_tool_call", {
      call_id: "xs_call_1",
      name: "x_keyword_search",
      input: '{"query":"from:xai"}',
    });
    const code = search("code_interpreter_call", { code: "1", outputs: [], container_id: "" });
    const turn = await ask(
      streamed(
        created,
        ...[web, posts, code].map((item, at) => done(at, item)),
        ...readEvents(3),
        completedWith({ num_server_side_tools_used: 3 }),
      ),
    );
    expect(outline(turn)).toEqual(readA);
    const found = await ask(
      streamed(created, done(0, posts), done(1, message("Found.")), completedWith({})),
    );
    expect([found.stopReason, found.text]).toEqual(["stop", "Found."]);
  });

  test("the sentence of an error may stand in `error` itself", async () => {
    const before = host.requests.length;
    const said = "Argument not supported: presencePenalty";
    const turn = await ask(json({ code: "400", error: said }, 400));
    expect(errorOf(turn)).toMatchObject({ kind: "invalid-request", status: 400 });
    expect(errorOf(turn)?.message).toContain(said);
    expect(host.requests.length - before).toBe(1);
  });
});
