import { guard } from "@fullstop/guard";
import { cutStep as step } from "@tooling/test/sample";
import { afterAll, expect, test } from "vitest";
import {
  ask,
  callsIn,
  clientOf,
  type Event,
  endOf,
  eventsIn,
  eventText,
  fixtures,
  json,
  leaks,
  responsesRequest,
  streamOf,
} from "./responses.ts";
import { type PlayedReply, startServer } from "./server.ts";

let reply: PlayedReply = { chunks: [] };
const server = await startServer(() => reply);
afterAll(() => server.close());

function stream(name: string): string {
  const found = fixtures.find((one) => one.name === name);
  if (found === undefined) throw new Error(`The corpus has no fixture "${name}".`);
  return streamOf(found);
}
const onlyCutCall = stream("Two inputs of a call that the output cap cut");
const parallelCalls = stream("Parallel calls whose pieces are interleaved");

/** Reads a reply that is cut behind so many bytes. */
async function readCut(bytes: Uint8Array, isReset: boolean): Promise<string> {
  const body = new ReadableStream({
    start(controller) {
      if (bytes.length > 0) controller.enqueue(bytes);
      if (isReset) queueMicrotask(() => controller.error(new TypeError("terminated")));
      else controller.close();
    },
  });
  const headers = { "content-type": "text/event-stream" };
  const guarded = guard(async () => new Response(body, { headers }));
  const response = await guarded("https://api.openai.com/v1/responses", {
    method: "POST",
    body: JSON.stringify({ ...responsesRequest, stream: true }),
  });
  const decoder = new TextDecoder();
  let text = "";
  try {
    for await (const chunk of response.body ?? []) text += decoder.decode(chunk, { stream: true });
  } catch {
    // A reply that broke behind text breaks for the client too.
  }
  return text;
}

const streams = [
  "Reasoning before a call of a custom tool",
  "A `tool_search_call` item beside a call",
  "Text, reasoning and a call, cut by the output cap",
].map(stream);

test("No part of a call leaves before the verdict, wherever a reply is cut", {
  timeout: 300_000,
}, async () => {
  let leaked = 0;
  for (const text of streams) {
    const bytes = new TextEncoder().encode(text);
    const whole = new TextEncoder().encode(text.trimEnd()).length;
    for (let at = 0; at < bytes.length; at += step) {
      const isWhole = at >= whole;
      const got = await readCut(bytes.subarray(0, at), at % 2 === 1);
      if (!isWhole && leaks(got)) leaked++;
    }
  }
  expect(leaked).toBe(0);
  expect(streams.every(leaks)).toBe(true);
});

/** Two calls, then a text, cut by the output cap. Its events have numbers and places. */
function callsThenText(pieces: (event: Event) => boolean): string {
  const calls = eventsIn(parallelCalls).slice(0, -1).filter(pieces);
  const text = eventsIn(stream("A text reply")).filter(({ output_index: at }) => at === 0);
  const items = [...calls, ...text].flatMap(({ type, item }) =>
    type === "response.output_item.done" && item ? [item] : [],
  );
  const end: Event = {
    type: "response.incomplete",
    response: {
      ...endOf(parallelCalls)?.response,
      status: "incomplete",
      incomplete_details: { reason: "max_output_tokens" },
      output: items,
    },
  };
  return [...calls, ...text.map((event) => ({ ...event, output_index: 2 })), end]
    .map((event, at) => eventText({ ...event, type: event.type, sequence_number: at }))
    .join("");
}

test("A text behind withheld calls stays, with its place and its numbers corrected", async () => {
  reply = { chunks: [callsThenText(() => true)] };
  const events = eventsIn((await ask(server)).text);
  expect(events.map(({ sequence_number: number }) => number)).toEqual(events.map((_, at) => at));
  const added = events.filter(({ type }) => type === "response.output_item.added");
  expect(added.map(({ output_index: at, item }) => [at, item?.["type"]])).toEqual([
    [0, "message"],
    [1, "message"],
  ]);
  const deltas = events.filter(({ type }) => type === "response.output_text.delta");
  expect(new Set(deltas.map(({ output_index: at }) => at))).toEqual(new Set([0, 1]));
});

test("No item gets the index of a text that went out and whose item did not begin", async () => {
  const moved = eventsIn(callsThenText(() => true)).map((event) => {
    const { output_index: at } = event;
    return typeof at === "number" ? { ...event, output_index: at + 1 } : event;
  });
  const type = "response.reasoning_summary_text.delta";
  const stray: Event = { type, item_id: "rs_0", output_index: 0, summary_index: 0, delta: "a" };
  const [created, ...rest] = moved;
  if (created === undefined) throw new Error("The reply has no event.");
  reply = { chunks: [[created, stray, ...rest].map((event) => eventText(event)).join("")] };
  const events = eventsIn((await ask(server)).text);
  const indices = (wanted: string) =>
    events.flatMap(({ type: name, output_index: at }) => (name === wanted ? [at] : []));
  expect(indices(type)).toEqual([0]);
  expect(indices("response.output_item.added")).toEqual([1, 2]);
});

test("Pieces of a call that was never added wait, also before a text", async () => {
  const isPiece = ({ type, response }: Event): boolean =>
    /arguments\.delta$/.test(type) || response !== undefined;
  const raw = callsThenText(isPiece);
  reply = { chunks: [raw] };
  const { text, report } = await ask(server);
  expect(leaks(raw)).toBe(true);
  expect(leaks(text)).toBe(false);
  expect(report?.action).toBe("ended");
});

test("A held call shows signs of life that the SDK ignores", async () => {
  const [head = "", tail = ""] = [parallelCalls.slice(0, -300), parallelCalls.slice(-300)];
  reply = { chunks: [head, tail], pauseMs: 100 };
  const { text } = await ask(server, { keepAliveMs: 20 });
  expect(text).toContain(": \n");
  expect(text.replaceAll(": \n", "")).toBe(parallelCalls);
  const { output } = await clientOf(server, { keepAliveMs: 20 })
    .responses.stream(responsesRequest)
    .finalResponse();
  expect(output.filter(({ type }) => type === "function_call")).toHaveLength(2);
});

test("Events of a host that numbers nothing are not numbered", async () => {
  const raw = eventsIn(onlyCutCall)
    .map(({ sequence_number: _, ...event }) => eventText({ ...event, type: event.type }))
    .join("");
  reply = { chunks: [raw] };
  const { text } = await ask(server);
  expect(text).toContain("nothing of it ran");
  expect(text).not.toContain("sequence_number");
});

test("Numbers beyond 2^53 and unknown fields stay in what is edited", async () => {
  const big = '"x_later":{"id":12345678901234567890}';
  reply = { chunks: [onlyCutCall.replaceAll('"usage":{', `${big},"usage":{`)] };
  expect((await ask(server)).text).toContain(big);
  const body = JSON.stringify(endOf(onlyCutCall)?.response);
  reply = { ...json({}), chunks: [body.replace('"usage":{', `${big},"usage":{`)] };
  const { text } = await ask(server, { body: responsesRequest });
  expect(text).toContain(big);
  expect(leaks(text)).toBe(false);
});

test("`[DONE]` at the end, comments and CRLF stay", async () => {
  const raw = `: hello\n\n${parallelCalls}data: [DONE]\n\n`.replaceAll("\n", "\r\n");
  reply = { chunks: [raw] };
  expect((await ask(server)).text).toBe(raw);
});

test("A call gets the id that it lacks if calls are normalized", async () => {
  const raw = stream("A call without a `call_id`");
  reply = { chunks: [raw] };
  expect((await ask(server)).text).toBe(raw);
  const { text } = await ask(server, { normalizeCalls: true });
  const [call] = callsIn(endOf(text)?.response?.output);
  expect(call?.["call_id"]).toMatch(/^call_\w{24}$/);
  expect(call?.["name"]).toBe("read");
});

test("Without a note, a withheld call leaves nothing but an ending", async () => {
  reply = { chunks: [onlyCutCall] };
  const { text } = await ask(server, { note: false });
  const types = eventsIn(text).map(({ type }) => type);
  expect(types).toEqual(["response.created", "response.in_progress", "response.incomplete"]);
  expect(endOf(text)?.response?.output).toEqual([]);
});

test("A text that the host repeats beside the output gets the note", async () => {
  reply = json({ ...endOf(onlyCutCall)?.response, output_text: "So far. " });
  const { text } = await ask(server, { body: responsesRequest });
  expect(JSON.parse(text).output_text).toMatch(/^So far\. \n\n\[.*nothing of it ran/);
});

test("The guard asks again with the same input and a larger cap, or not without a cap", async () => {
  for (const input of ["Read it.", [{ role: "user", content: "Read it." }]]) {
    const before = server.requests.length;
    reply = { chunks: [onlyCutCall] };
    const body = { ...responsesRequest, input, stream: true };
    await ask(server, { reask: true, body });
    const [, again] = server.requests.slice(before);
    const cap = 2 * responsesRequest.max_output_tokens;
    expect(JSON.parse(again?.body ?? "")).toEqual({ ...body, max_output_tokens: cap });
    const { max_output_tokens: _, ...uncapped } = body;
    await ask(server, { reask: true, body: { ...uncapped, input: `${JSON.stringify(input)}!` } });
    expect(server.requests.length - before).toBe(3);
  }
});

test("A failed response with a call keeps its own error", async () => {
  const raw = stream("A failed response because of a full context window");
  reply = { chunks: [raw] };
  const { text } = await ask(server);
  expect(leaks(text)).toBe(false);
  expect(endOf(text)?.response?.["error"]).toEqual(endOf(raw)?.response?.["error"]);
});

test("The end of a host with another name is edited, and keeps its name", async () => {
  const raw = onlyCutCall.replaceAll("response.incomplete", "response.done");
  reply = { chunks: [raw] };
  const { text } = await ask(server);
  expect(leaks(text)).toBe(false);
  const last = eventsIn(text).at(-1);
  expect(last).toMatchObject({ type: "response.done", response: { status: "incomplete" } });
  expect(JSON.stringify(last?.response?.output)).toContain("nothing of it ran");
});

test("A text keeps its index if its host gives the same one to a call", async () => {
  reply = { chunks: [stream("A text and a call at one index, whose pieces are interleaved")] };
  const { text } = await ask(server);
  const indices = eventsIn(text).flatMap(({ type, item, output_index: at }) =>
    /output_text/.test(type) || item?.["type"] === "message" ? [at] : [],
  );
  expect(new Set(indices)).toEqual(new Set([0]));
  expect(
    eventsIn(text).flatMap(({ item }) => (item?.["type"] === "function_call" ? [1] : [])),
  ).toEqual([1, 1]);
  expect(endOf(text)?.response?.output).toHaveLength(2);
});

test("A filter that only a word of another protocol says becomes the reason", async () => {
  const text = stream("A call of a reply that was cut, which only `stop_reason` says");
  reply = { chunks: [text.replaceAll('"stop_reason":"length"', '"stop_reason":"content_filter"')] };
  expect(endOf((await ask(server)).text)).toMatchObject({
    type: "response.incomplete",
    response: { status: "incomplete", incomplete_details: { reason: "content_filter" } },
  });
});
