import { APIError } from "openai";
import { afterAll, describe, expect, test } from "vitest";
import {
  type AskOptions,
  ask,
  clientOf,
  type Event,
  endOf,
  eventsIn,
  eventText,
  fixtures,
  guardedFetch,
  type Item,
  json,
  leaks,
  responsesRequest,
  streamOf,
} from "./responses.ts";
import { type PlayedReply, startServer } from "./server.ts";

let replies: readonly PlayedReply[] = [];
let asked = 0;
const play = (...next: readonly PlayedReply[]): void => {
  replies = next;
  asked = 0;
};
const server = await startServer(
  () => replies[Math.min(asked++, replies.length - 1)] as PlayedReply,
);
afterAll(() => server.close());

function stream(name: string): string {
  const found = fixtures.find((one) => one.name === name);
  if (found === undefined) throw new Error(`The corpus has no fixture "${name}".`);
  return streamOf(found);
}
const cutCall = stream("Text, reasoning and a call, cut by the output cap");
const onlyCutCall = stream("Two inputs of a call that the output cap cut");
const finishedCall = stream("Reasoning before a call");
const parallelCalls = stream("Parallel calls whose pieces are interleaved");
const unknownCall = stream("An unknown type of call");
const textOnly = stream("A text reply");

const errorOf = (text: string): Item => JSON.parse(text).error;
const edit = (text: string, change: (event: Event) => Event): string =>
  eventsIn(text).map(change).map(eventText).join("");

describe("reasoning", () => {
  const isDone = ({ type, item }: Event): boolean =>
    type === "response.output_item.done" && item?.["type"] === "reasoning";
  test("before a call that is withheld leaves with it", async () => {
    const cut = stream("A completed call and its reasoning in an incomplete response");
    play({ chunks: [cut] });
    const { text, report } = await ask(server);
    expect(report?.action).toBe("ended");
    expect(eventsIn(cut).filter(isDone)).toHaveLength(1);
    expect(eventsIn(text).filter(isDone)).toEqual([]);
    expect(JSON.stringify(endOf(cut)?.response?.output)).toContain('"type":"reasoning"');
    expect(JSON.stringify(endOf(text)?.response?.output)).not.toContain('"type":"reasoning"');
  });
  test("before a text goes out with the text, before the reply ends", async () => {
    const before = eventsIn(stream("Reasoning before a complete text"))
      .slice(0, -1)
      .map(eventText)
      .join("");
    play({ chunks: [before], fault: "stall" });
    const response = await guardedFetch(server);
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    while (text.length < before.length) text += (await reader?.read())?.value ?? "";
    await reader?.cancel();
    expect(text).toBe(before);
    expect(eventsIn(text).some(isDone)).toBe(true);
  });
});

describe("a reply that breaks off", () => {
  const sentence = /ended|closed|broke|cut/;
  const brokenText = textOnly.slice(0, textOnly.indexOf("event: response.output_text.done"));
  const brokenCall = parallelCalls.slice(0, -200);

  test("behind text throws in the SDK, with the sentence", async () => {
    for (const fault of [undefined, "reset"] as const) {
      play({ chunks: [brokenText], ...(fault && { fault }) });
      const client = clientOf(server);
      const reply = await client.responses.create({ ...responsesRequest, stream: true });
      const seen: string[] = [];
      const read = async (): Promise<void> => {
        for await (const { type } of reply) seen.push(type);
      };
      const thrown = await read().catch((error: unknown) => error);
      expect(thrown).toBeInstanceOf(APIError);
      expect((thrown as APIError).message).toMatch(sentence);
      expect(seen).toContain("response.failed");
      expect(seen).not.toContain("response.completed");
      const final = client.responses.stream(responsesRequest).finalResponse();
      await expect(final).rejects.toThrow(sentence);
    }
  });
  test("behind text says so twice, with numbers that go on", async () => {
    play({ chunks: [brokenText] });
    const events = eventsIn((await ask(server)).text);
    const [failed, error] = events.slice(-2);
    expect(failed?.response).toMatchObject({ id: events[0]?.response?.["id"], status: "failed" });
    expect(failed?.response?.["error"]).toMatchObject({ message: error?.["message"] });
    expect(error).toMatchObject({
      type: "error",
      error: { message: error?.["message"], code: error?.["code"] },
    });
    expect(events.map(({ sequence_number: number }) => number)).toEqual(events.map((_, at) => at));
  });
  test("before anything was sent is a status that the SDK knows, and at last one without retry", async () => {
    play({ chunks: [brokenCall] });
    const client = clientOf(server);
    const statuses: unknown[] = [];
    const messages: string[] = [];
    for (let attempt = 0; attempt < 3; attempt++) {
      const failure = await client.responses.create(responsesRequest).catch((error) => error);
      statuses.push(failure.status);
      messages.push(JSON.stringify(failure.error));
    }
    expect(statuses).toEqual([502, 502, 400]);
    expect(messages[0]).toContain("server_error");
    expect(messages[2]).not.toMatch(/server_error|50\d|network|terminated|timeout|overloaded/i);
  });
});

describe("a conversation that the provider keeps", () => {
  const requests = [
    { store: true },
    { previous_response_id: "resp_0" },
    { conversation: "conv_1" },
    { background: true },
  ];
  test.each(requests)("never gets an edited ending: %j", async (fields) => {
    const body = { ...responsesRequest, stream: true, ...fields };
    play({ chunks: [onlyCutCall] });
    const alone = await ask(server, { body });
    expect([alone.report?.action, alone.report?.isStateful]).toEqual(["failed", true]);
    expect(errorOf(alone.text)["message"]).toContain("nothing of it ran");
    play({ chunks: [cutCall] });
    const behindText = await ask(server, { body });
    expect(eventsIn(behindText.text).at(-1)?.type).toBe("error");
    expect(leaks(alone.text + behindText.text)).toBe(false);
    play({ chunks: [finishedCall] });
    expect((await ask(server, { body })).text).toBe(finishedCall);
  });
});

describe("a reply that is written in the background", () => {
  const message = { type: "message", role: "assistant", content: [], status: "in_progress" };
  const call = { type: "function_call", call_id: "c1", name: "read", arguments: '{"path":"a"}' };
  const later = { path: "/v1/responses/resp_1", body: undefined };
  const poll = async (body: object, options: AskOptions = later) => {
    play(json(body));
    return { sent: JSON.stringify(body), ...(await ask(server, options)) };
  };
  test("passes while it is queued or in progress", async () => {
    const body = { ...responsesRequest, background: true };
    for (const status of ["queued", "in_progress"])
      for (const output of [[], [message]])
        for (const options of [{ body }, later]) {
          const {
            text,
            sent,
            status: code,
          } = await poll({ id: "resp_1", status, output }, options);
          expect([code, text]).toEqual([200, sent]);
        }
  });
  test("holds no call while it is in progress", async () => {
    const { text, status } = await poll({ id: "resp_1", status: "in_progress", output: [call] });
    expect(status).toBe(200);
    expect(JSON.parse(text)).toEqual({ id: "resp_1", status: "in_progress", output: [] });
  });
  test("is guarded when it is fetched", async () => {
    const output = [{ ...call, status: "completed" }];
    const whole = await poll({ id: "resp_1", status: "completed", output });
    expect(whole.text).toBe(whole.sent);
    const cut = await poll({
      id: "resp_1",
      status: "incomplete",
      incomplete_details: { reason: "max_output_tokens" },
      output,
    });
    expect(cut.report?.action).toBe("failed");
    expect(leaks(cut.text)).toBe(false);
  });
});

test("A compacted conversation and a count of tokens pass, also in strict mode", async () => {
  for (const path of ["/v1/responses/compact", "/v1/responses/input_tokens"]) {
    play(json({ output: [{ type: "compaction", encrypted_content: "gA" }] }));
    const unguarded: unknown[] = [];
    const onUnguarded = (request: unknown): void => void unguarded.push(request);
    const { text, status, report } = await ask(server, { path, strict: true, onUnguarded });
    expect([status, text]).toEqual([200, replies[0]?.chunks[0]]);
    expect([report, unguarded]).toEqual([undefined, []]);
  }
});

describe("an item that the gate does not read", () => {
  const unread: readonly Item[] = [
    { type: "x_later_call", id: "x1", call_id: "c1", payload: 1 },
    { type: "tool_search_call", id: "ts1", call_id: "c1", arguments: { query: "dice" } },
  ];
  const kept: readonly Item[] = [
    { type: "additional_tools", id: "at1", role: "developer", tools: [] },
    { type: "compaction", id: "cmp1", encrypted_content: "gA" },
  ];
  const withItem = (item: Item, text: string): string =>
    edit(text, (event) => {
      const isUnknown = (one: Item): boolean => one["type"] === "x_later_call";
      const output = event.response?.output?.map((one) => (isUnknown(one) ? item : one));
      return {
        ...event,
        ...(event.item && isUnknown(event.item) && { item }),
        ...(event.response && { response: { ...event.response, ...(output && { output }) } }),
      };
    });
  const cut = (text: string): string =>
    edit(text, (event) =>
      event.type === "response.completed"
        ? {
            ...event,
            type: "response.incomplete",
            response: {
              ...event.response,
              status: "incomplete",
              incomplete_details: { reason: "max_output_tokens" },
            },
          }
        : event,
    );
  test("passes in a finished reply, and is left out of another", async () => {
    for (const item of unread) {
      const whole = withItem(item, unknownCall);
      play({ chunks: [whole] });
      expect((await ask(server)).text).toBe(whole);
      play({ chunks: [cut(whole)] });
      const { text, report } = await ask(server);
      expect(report?.action).toBe("ended");
      expect(text).not.toContain(`"${String(item["type"])}"`);
      expect(endOf(text)?.response).toMatchObject({ status: "incomplete" });
    }
  });
  test("and that asks for nothing passes in each reply", async () => {
    for (const item of kept)
      for (const text of [withItem(item, unknownCall), cut(withItem(item, unknownCall))]) {
        play({ chunks: [text] });
        expect((await ask(server)).text).toBe(text);
      }
  });
  test("passes beside text if the host runs custom tools", async () => {
    const custom = {
      type: "custom_tool_call",
      id: "ctc1",
      call_id: "c1",
      name: "x_search",
      input: "q",
    };
    const whole = withItem(custom, unknownCall);
    play({ chunks: [whole] });
    const { text } = await ask(server, { host: () => ({ runsCustomTools: true }) });
    expect(text).toBe(whole);
    const { report } = await ask(server);
    expect(report?.turn.calls.map(({ name }) => name)).toEqual(["x_search"]);
  });
});
