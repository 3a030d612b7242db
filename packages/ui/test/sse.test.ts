import { type Run, type RunEvent, run } from "@fullstop/loop";
import { mock } from "@fullstop/provider-mock";
import {
  createRunStreams,
  memoryLog,
  resumeSse,
  resumeUi,
  sseResponse,
  uiResponse,
} from "@fullstop/ui";
import { EventSource } from "undici";
import { expect, onTestFinished, test } from "vitest";
import { collect, eventsOf, parsed, type ReceivedEvent } from "./events.ts";
import { type GatedTool, gatedTool, look } from "./gate.ts";
import { listen } from "./server.ts";

/** Says something, waits in a tool, and says something else. */
function waitingRun(waiting: GatedTool): Run {
  const script = [
    { thinking: "Hm.", text: "I wait.", calls: [{ name: "wait", input: {} }] },
    "I have waited.",
  ];
  return run({ adapter: mock(script), tools: [waiting.tool], prompt: "Wait." });
}
const withoutTime = ({ at: _, ...event }: RunEvent | { readonly at: number }): object => event;

test("every event of a run arrives once, in order, with an id of its own", async () => {
  const seen: RunEvent[] = [];
  const adapter = mock([{ text: "I look.", calls: [{ name: "look", input: { at: 1 } }] }, "Done."]);
  const options = { adapter, tools: [look], prompt: "Look." };
  const onEvent = (event: RunEvent): void => void seen.push(event);
  const url = await listen(() => sseResponse(run({ ...options, onEvent })));
  const response = await fetch(url);
  expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
  const events = await collect(eventsOf(response));
  const ids = events.map(({ id }) => id);
  expect(new Set(ids).size).toBe(events.length);
  expect(ids).not.toContain(undefined);
  const sent = parsed(events);
  expect(sent.map(({ type, runId, turnNumber }) => [type, runId, turnNumber])).toEqual(
    seen.map(({ type, runId, turnNumber }) => [type, runId, turnNumber]),
  );
  const plain = ["request", "first-byte", "text", "tool-input-start", "tool-input-delta"];
  const ofPlain = (list: readonly { readonly type: string; readonly at: number }[]): unknown =>
    JSON.parse(JSON.stringify(list.filter(({ type }) => plain.includes(type)).map(withoutTime)));
  expect(ofPlain(sent)).toEqual(ofPlain(seen));
  expect(sent.at(-1)).toMatchObject({ type: "end", outcome: { status: "done", text: "Done." } });
});

test("the events arrive while the run goes on", async () => {
  const waiting = gatedTool();
  const url = await listen(() => sseResponse(waitingRun(waiting)));
  const types: string[] = [];
  for await (const { data } of eventsOf(await fetch(url))) {
    types.push(JSON.parse(data).type);
    // The tool ends only because its beginning has arrived.
    if (types.at(-1) === "tool-call") waiting.open();
  }
  expect(types.slice(-3)).toEqual(["text", "turn", "end"]);
});

/** The first events of a stream. The connection is then closed without a word. */
async function readSome(url: string, count: number): Promise<readonly ReceivedEvent[]> {
  const controller = new AbortController();
  const response = await fetch(url, { signal: controller.signal });
  const events: ReceivedEvent[] = [];
  const reader = eventsOf(response);
  while (events.length < count) {
    const { value } = await reader.next();
    if (value === undefined) break;
    events.push(value);
  }
  controller.abort();
  return events;
}

test("a client whose connection is cut after any event gets the rest, each event once", async () => {
  const streams = createRunStreams();
  onTestFinished(() => streams.close());
  const starts = new Map<string, GatedTool>();
  const url = await listen((request) => {
    const { pathname: streamId } = new URL(request.url);
    if (starts.has(streamId)) return resumeSse(streams, streamId, request);
    const waiting = gatedTool();
    starts.set(streamId, waiting);
    return sseResponse(waitingRun(waiting), { streams, streamId });
  });
  /** Events up to the beginning of the tool. */
  const beforeTool = 9;
  const complete = async (cutAfter: number): Promise<readonly string[]> => {
    const path = `${url}/${cutAfter}`;
    const first = await readSome(path, Math.min(cutAfter, beforeTool));
    starts.get(`/${cutAfter}`)?.open();
    const last = first.at(-1)?.id;
    const headers = last === undefined ? {} : { "last-event-id": last };
    const rest = cutAfter > beforeTool ? await cutAgain(path, headers, cutAfter - beforeTool) : [];
    const from = rest.at(-1)?.id ?? last;
    const end = await fetch(path, { headers: from === undefined ? {} : { "last-event-id": from } });
    const events = [...first, ...rest, ...(await collect(eventsOf(end)))];
    expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
    return parsed(events).map(({ type }) => type);
  };
  const cutAgain = async (
    path: string,
    headers: Record<string, string>,
    count: number,
  ): Promise<readonly ReceivedEvent[]> => {
    const controller = new AbortController();
    const response = await fetch(path, { headers, signal: controller.signal });
    const events: ReceivedEvent[] = [];
    for await (const event of eventsOf(response)) if (events.push(event) === count) break;
    controller.abort();
    return events;
  };
  const expected = await complete(0);
  expect(expected).toHaveLength(15);
  expect(expected.indexOf("tool-call")).toBe(beforeTool - 1);
  for (let cutAfter = 1; cutAfter < expected.length; cutAfter++)
    expect(await complete(cutAfter)).toEqual(expected);
});

test("an EventSource comes back by itself, and stops at the end", async () => {
  const streams = createRunStreams();
  const waiting = gatedTool();
  let requests = 0;
  const url = await listen(async (request) => {
    requests += 1;
    if (requests > 1) waiting.open();
    if (streams.isRunning("one") || requests > 1) return resumeSse(streams, "one", request);
    const response = await sseResponse(waitingRun(waiting), { streams, streamId: "one" });
    return new Response(upTo(response, '"tool-call"'), response);
  });
  const source = new EventSource(url);
  onTestFinished(() => source.close());
  const types: string[] = [];
  await new Promise<void>((resolve) => {
    source.addEventListener("message", ({ data }) => types.push(JSON.parse(data).type));
    source.addEventListener("error", () => {
      if (source.readyState === EventSource.CLOSED) resolve();
    });
  });
  expect(requests).toBe(3); // the first, the one after the cut, and the one that is told to stop
  expect(types).toHaveLength(15);
  expect(types.filter((type) => type === "tool-call")).toHaveLength(1);
  expect(types.at(-1)).toBe("end");
});

/** The body until something was in it. Then it ends, as if a proxy had closed the connection. */
function upTo(response: Response, mark: string): ReadableStream<Uint8Array> | null {
  let isOver = false;
  const cut = new TransformStream<Uint8Array, Uint8Array>({
    transform: (bytes, controller) => {
      if (isOver) return;
      controller.enqueue(bytes);
      isOver = new TextDecoder().decode(bytes).includes(mark);
      if (isOver) controller.terminate();
    },
  });
  return response.body?.pipeThrough(cut) ?? null;
}

test("a client that disconnects aborts the run", async () => {
  const waiting = gatedTool();
  let status: string | undefined;
  const ended = Promise.withResolvers<void>();
  const onEnd = (outcome: { readonly status: string }): void => {
    status = outcome.status;
    ended.resolve();
  };
  const url = await listen(() => sseResponse(waitingRun(waiting), { onEnd }));
  await readSome(url, 8);
  await waiting.aborted;
  await ended.promise;
  expect(status).toBe("aborted");
});

test.each<[string, (given: never) => Promise<Response>, string]>([
  ["sseResponse", sseResponse, "a run: `run({ … })`"],
  ["uiResponse", uiResponse, "a run: `run({ … })`"],
  ["resumeSse", (none) => resumeSse(none, none, none), "the streams of `createRunStreams()`"],
  ["resumeUi", (none) => resumeUi(none, none, none), "the streams of `createRunStreams()`"],
])("%s says what to pass if it gets nothing", async (name, respond, needed) => {
  await expect(respond(undefined as never)).rejects.toThrow(`\`${name}\` needs ${needed}.`);
});

test("a log in memory needs no options", async () => {
  expect(await createRunStreams({ log: memoryLog() }).find("none", undefined)).toBe("unknown");
});
