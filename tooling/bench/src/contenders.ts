import { type Adapter, createGate, readTurn, type Turn } from "@fullstop/core";
import { guard } from "@fullstop/guard";
import { jsonSchema, type RunEvent, run, tool } from "@fullstop/loop";
import { floors } from "./floor.ts";
import { type JournalMaker, journalMakers, newJournal } from "./journals.ts";
import { type ProxyName, type ProxyURLs, proxyNames } from "./proxies.ts";
import { stretch } from "./stretch.ts";
import { apiKey, type BenchWire, type Body } from "./wire.ts";
import { charactersOf, type Workload } from "./workloads.ts";

/** Reads one reply. Resolves with the number of characters of text and tool input. */
export type Contender = () => Promise<number>;

/** What each contender does, for the help and the README. */
export const contenderDescriptions = {
  floor: "fetch, decode, split, JSON.parse: the minimum work of any reader",
  sdk: "the vendor's SDK, its raw iterator",
  helper: "the vendor's SDK, its helper that assembles a message",
  turn: "readTurn: adapter and gate, until the turn is complete",
  guard: "guard(fetch): the same bytes, released after the verdict",
  proxy: "a plain proxy: `node:http` and `fetch`; the CPU time of its process",
  gateway: "the gateway; the CPU time of its process",
  events: "run: each event with `for await`",
  loop: "run: one turn, its outcome",
  call: "run: one turn, and its call runs",
  file: "the same with a journal in a file, each step on disk",
  sqlite: "the same with a journal in SQLite, each step on disk",
  parse: "JSON.parse of the frames, without a request",
  gate: "the same, with the decoder and the gate",
} as const;
export type ContenderName = keyof typeof contenderDescriptions;

const writeTool = tool({
  name: "write",
  description: "Writes a file.",
  inputSchema: jsonSchema({
    type: "object",
    properties: { path: { type: "string" }, content: { type: "string" } },
  }),
  execute: () => "written",
});
const maxTokens = 4096;

/** The contenders of a protocol, for one workload of a server. */
export async function contendersOf(
  bench: BenchWire,
  baseURL: string,
  workload: Workload,
  proxies: ProxyURLs,
): Promise<Partial<Record<ContenderName, Contender>>> {
  const { messages } = workload;
  const adapter = bench.adapter({ baseURL, apiKey });
  const body = await capturedBody(bench, messages);
  const vendor = bench.vendor(baseURL);
  const { helper } = vendor;
  const asked = {
    adapter,
    messages,
    request: { maxTokens },
    tools: [writeTool],
    limits: { turns: 1 },
  };
  return {
    floor: () => readWithoutGate(baseURL, body, bench),
    sdk: async () => {
      let characters = 0;
      for await (const event of await vendor.events(body)) characters += bench.characters(event);
      return characters;
    },
    ...(helper && { helper: () => helper(body) }),
    turn: async () => charactersOfTurn(await readTurn(adapter, { messages, maxTokens })),
    // The guard knows only protocols of server-sent events.
    ...(bench.wire.framing === undefined && {
      ...passingContenders(await capturedRequest(bench, baseURL, messages), workload, proxies),
    }),
    events: async () => {
      const shown = createEventCounter();
      let characters = 0;
      for await (const event of run(asked)) characters += shown(event);
      return characters;
    },
    loop: async () => charactersOfTurn((await run(asked).outcome()).turn),
    call: callingContender(adapter, messages),
    file: callingContender(adapter, messages, journalMakers.file()),
    sqlite: callingContender(adapter, messages, journalMakers.sqlite()),
    ...inProcessContenders(bench, adapter, workload),
  };
}

/**
 * A run of one turn that runs its call. With a journal each run has an id of its own, so that it
 * repeats nothing.
 */
export function callingContender(
  adapter: Adapter,
  messages: Workload["messages"],
  makeJournal?: JournalMaker,
): Contender {
  const options = { adapter, messages, request: { maxTokens }, tools: [writeTool] };
  return async () => {
    const journal = makeJournal && newJournal(makeJournal);
    return charactersOfTurn(
      (await run({ ...options, stopWhen: () => true, journal }).outcome()).turn,
    );
  };
}

/** Creates the frames on first use, because the frames of large replies fill the heap. */
function inProcessContenders(
  bench: BenchWire,
  adapter: Adapter,
  { reply }: Workload,
): Record<"parse" | "gate", Contender> {
  let made: readonly string[] | undefined;
  const frames = (): readonly string[] => {
    made ??= stretch(bench.wire, reply).filter((frame) => frame !== "[DONE]");
    return made;
  };
  return {
    parse: async () =>
      frames().reduce((sum, frame) => sum + bench.characters(JSON.parse(frame)), 0),
    gate: async () => {
      const gate = createGate(adapter, { maxTokens });
      for (const frame of frames()) gate.push(JSON.parse(frame));
      return charactersOfTurn(gate.end());
    },
  };
}

async function readWithoutGate(baseURL: string, body: Body, bench: BenchWire): Promise<number> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(`${baseURL}/floor`, {
    method: "POST",
    headers,
    body: JSON.stringify(body),
  });
  if (response.body === null) throw new Error("The reply has no body.");
  let count = 0;
  await floors[bench.wire.framing ?? "sse"](response.body, (event) => {
    count += bench.characters(event);
  });
  return count;
}

/** The readers that pass the bytes of a reply on: the guard, and proxies in other processes. */
function passingContenders(
  request: SentRequest,
  workload: Workload,
  proxies: ProxyURLs,
): Partial<Record<"guard" | ProxyName, Contender>> {
  const { pathname } = new URL(request.url);
  const passing: Partial<Record<"guard" | ProxyName, Contender>> = {
    guard: createPassing(request, workload, guard()),
  };
  for (const name of proxyNames) {
    const proxy = proxies[name];
    if (proxy === undefined) continue;
    passing[name] = createPassing(request, workload, (_, init) => fetch(proxy + pathname, init));
  }
  return passing;
}

/**
 * Reads a reply that was passed on to its end. It must be as long as the reply of the server; then
 * it has all characters.
 */
function createPassing(
  { url, body }: SentRequest,
  workload: Workload,
  send: (url: string, init: RequestInit) => Promise<Response>,
): Contender {
  const init = { method: "POST", headers: { "content-type": "application/json" }, body };
  let expected: number | undefined;
  return async () => {
    expected ??= await byteLength(await fetch(url, init));
    const length = await byteLength(await send(url, init));
    return length === expected ? charactersOf(workload.reply) : -1;
  };
}

async function byteLength({ body }: Response): Promise<number> {
  let length = 0;
  for await (const chunk of body ?? []) length += chunk.length;
  return length;
}

/** The request body of the adapter. All contenders send it. */
const capturedBody = async (bench: BenchWire, messages: Workload["messages"]): Promise<Body> =>
  JSON.parse((await capturedRequest(bench, "http://127.0.0.1", messages)).body);

interface SentRequest {
  readonly url: string;
  readonly body: string;
}
async function capturedRequest(
  bench: BenchWire,
  baseURL: string,
  messages: Workload["messages"],
): Promise<SentRequest> {
  let sent: SentRequest | undefined;
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    sent = { url: request.url, body: await request.text() };
    return new Response(null, { status: 400 });
  };
  const adapter: Adapter = bench.adapter({ baseURL, apiKey, fetch });
  await readTurn(adapter, { messages, maxTokens });
  if (sent === undefined) throw new Error("The adapter sent nothing.");
  return sent;
}

function charactersOfTurn(turn: Turn): number {
  if (turn.stopReason === "stop") return turn.text.length;
  if (turn.stopReason !== "tool-use") throw new Error(`Unexpected stop reason: ${turn.stopReason}`);
  return turn.message.content.reduce(
    (sum, block) => sum + (block.type === "tool-call" ? block.inputText.length : 0),
    0,
  );
}

/** Counts an input once, even if its end repeats the streamed pieces. */
function createEventCounter(): (event: RunEvent) => number {
  let pieces = false;
  return (event) => {
    if (event.type === "tool-input-delta") pieces = true;
    if (event.type === "tool-input-delta" || event.type === "text") return event.text.length;
    return event.type === "tool-input-end" && !pieces ? (event.text?.length ?? 0) : 0;
  };
}
