import {
  type Adapter,
  type Endpoint,
  type Message,
  type ObjectReply,
  type ReadOptions,
  readTurn,
  type ToolResultBlock,
  type ToolSpec,
  type Turn,
  type TurnRequest,
} from "@fullstop/core";
import type { Bytes } from "../framing/framing.ts";
import { framingOf } from "../framing/index.ts";
import { judgedTurn, watchTexts } from "../guard/judged-turn.ts";
import type { AdapterSubject, GuardFetch } from "../subject.ts";
import type { Fixture, Frames, Reply, Wire } from "../wire.ts";
import { type Effort, render } from "./bytes.ts";
import {
  allExchangesOf,
  type Check,
  type Level,
  outline,
  requestFinding,
  withBytes,
} from "./check.ts";
import { type Answer, eventStream, type Host, inProcess, repeatable } from "./host.ts";
import { tryParseJson } from "./json.ts";
import { type ObjectForm, readLooseObject } from "./read-object.ts";
import { cap, suiteTools } from "./scenarios.ts";

const tools: readonly ToolSpec[] = suiteTools("object", () => ({})).map(
  ({ schema: inputSchema, ...tool }) => ({ ...tool, inputSchema }),
);

export const firstMessages: readonly Message[] = [{ role: "user", content: "Go." }];

export const defaultRequest: TurnRequest = {
  system: "Be brief.",
  messages: firstMessages,
  tools,
  maxTokens: cap,
};

/** Options of one question. */
export interface AskOptions extends Pick<ReadOptions, "signal" | "onPreview" | "idleMs"> {
  /** Members of the request that differ from the default. */
  readonly request?: Partial<TurnRequest> | undefined;
  /** Members of the adapter that are replaced for this question. */
  readonly adapter?: Partial<Adapter> | undefined;
}

/** An adapter that is ready to be asked. */
export interface Harness extends Effort {
  readonly wire: Wire;
  readonly adapter: Adapter;
  /** Asks for replies in one piece. `undefined` if the subject has none. */
  readonly wholeAdapter: Adapter | undefined;
  readonly host: Host;
  /** Sends a request, answers it with `answer`, and returns the turn that the subject reads. */
  read(answer: Answer | Uint8Array<ArrayBuffer>, options?: AskOptions): Promise<Turn>;
  /**
   * The same, but returns the turn by which the subject is judged. It differs only behind a guard,
   * which replaces the end of a reply whose calls are withheld, and of one that broke: if it does
   * this honestly, it is the turn that the subject reads without the guard.
   */
  ask(answer: Answer | Uint8Array<ArrayBuffer>, options?: AskOptions): Promise<Turn>;
  /** The same, but asks for an object in this form, and returns what the subject makes of it. */
  readObject(
    answer: Answer | Uint8Array<ArrayBuffer>,
    form: ObjectForm,
    options?: Pick<AskOptions, "request" | "adapter">,
  ): Promise<ObjectReply<unknown>>;
  /** The scenarios and fixtures of the wire. Over a network only every fifth. */
  readonly exchanges: readonly Fixture[];
}

export function createHarness(
  subject: AdapterSubject,
  host: Host,
  { exhaustive, sample }: Effort,
): Harness {
  const { wire, guard } = subject;
  const adapters = adaptersOf(subject, guard === undefined ? host.endpoint : behind(guard, host));
  const exchanges = allExchangesOf(wire, { exhaustive, sample });
  const read = createReader(subject, adapters, host);
  return {
    wire,
    ...adapters,
    host,
    exhaustive,
    sample,
    exchanges: host.usesNetwork ? exchanges.filter((_, index) => index % 5 === 0) : exchanges,
    read,
    ask: guard === undefined ? read : createGuardedReader(subject, read),
    readObject: (answer, form, { request, adapter: changes } = {}) => {
      const sent = toAnswer(wire, answer);
      host.answer(sent);
      const asked = adapterFor(adapters, sent);
      const changed = changes === undefined ? asked : { ...asked, ...changes };
      return readLooseObject(subject, changed, { ...defaultRequest, ...request }, form);
    },
  };
}

type Adapters = Pick<Harness, "adapter" | "wholeAdapter">;

const adaptersOf = (subject: AdapterSubject, endpoint: Endpoint): Adapters => ({
  adapter: subject.adapter(endpoint),
  wholeAdapter: subject.wholeAdapter?.(endpoint),
});

const adapterFor = ({ adapter, wholeAdapter = adapter }: Adapters, { isWhole }: Answer): Adapter =>
  isWhole ? wholeAdapter : adapter;

const behind = (guard: GuardFetch, { endpoint }: Host): Endpoint => ({
  ...endpoint,
  fetch: guard(endpoint.fetch ?? globalThis.fetch),
});

/** An answer that names no headers has those of a stream in the framing of the wire. */
function toAnswer(wire: Wire, given: Answer | Uint8Array<ArrayBuffer>): Answer {
  const answer = given instanceof Uint8Array ? { chunks: [given] } : given;
  return { ...answer, headers: answer.headers ?? framingOf(wire).headers };
}

function createReader(
  { read = readTurn, wire }: AdapterSubject,
  adapters: Adapters,
  host: Host,
): Harness["read"] {
  return (answer, { request, adapter: changes, ...options } = {}) => {
    const sent = toAnswer(wire, answer);
    host.answer(sent);
    const adapter = adapterFor(adapters, sent);
    return read(
      changes === undefined ? adapter : { ...adapter, ...changes },
      { ...defaultRequest, ...request },
      options,
    );
  };
}

/** Asks a subject behind its guard, and then without the guard about the same bytes. */
function createGuardedReader(subject: AdapterSubject, read: Harness["read"]): Harness["ask"] {
  const host = inProcess();
  const readUnguarded = createReader(subject, adaptersOf(subject, host.endpoint), host);
  return async (asked, options = {}) => {
    const given = toAnswer(subject.wire, asked);
    const answer = { ...given, chunks: repeatable(given.chunks) };
    const guarded = await read(answer, options);
    if (guarded.calls.length > 0 || guarded.stopReason === "aborted") return guarded;
    const { texts, onPreview } = watchTexts();
    const turn = await readUnguarded(answer, { ...options, onPreview });
    return judgedTurn(guarded, { turn, textsBeforeCalls: texts }, isStream(answer));
  };
}

const isStream = ({ headers = eventStream }: Answer): boolean =>
  headers["content-type"] === eventStream["content-type"];

/** What a subject gets: a reply, events as the vendor writes them, bytes, or an answer. */
export type Sent = Reply | Frames | Bytes | Answer;

/** The answer, and the bytes that a failed check shows of it. */
export function answerWith(
  wire: Wire,
  sent: Sent,
): { readonly answer: Answer | Bytes; readonly bytes: Bytes | undefined } {
  if ("chunks" in sent) {
    const [bytes] = Array.isArray(sent.chunks) ? (sent.chunks as readonly Bytes[]) : [];
    return { answer: sent, bytes };
  }
  if ("blocks" in sent) return answerWith(wire, wire.frames(sent));
  const bytes = "upToTerminal" in sent ? render(wire, sent).bytes : sent;
  return { answer: bytes, bytes };
}

/** What must come out, if it is more than the outline of a turn. */
export interface TurnExpectation {
  /** A function if it depends on the turn which result is right. */
  readonly expected: string | ((turn: Turn) => string);
  /** The outline by default. */
  readonly describe?: ((turn: Turn) => string) | undefined;
  readonly options?: AskOptions | undefined;
  /** What a failed check shows, if it is not what was sent. */
  readonly shown?: Bytes | undefined;
}

/** Sends a reply, and compares the turn with the expected outline. */
export async function checkReply(
  harness: Harness,
  at: string,
  sent: Sent,
  wanted: string | TurnExpectation,
): Promise<Check> {
  const expectation: TurnExpectation = typeof wanted === "string" ? { expected: wanted } : wanted;
  const { expected, describe = outline, options, shown } = expectation;
  const { answer, bytes } = answerWith(harness.wire, sent);
  const turn = await harness.ask(answer, options);
  const right = typeof expected === "string" ? expected : expected(turn);
  return withBytes({ at, expected: right, actual: describe(turn) }, shown ?? bytes);
}

const toolResult = (id: string, name: string, index: number): ToolResultBlock => ({
  type: "tool-result",
  id,
  name,
  content: `Result ${index} of ${name}.`,
});

export function withResults(messages: readonly Message[], turn: Turn): readonly Message[] {
  const reply = turn.message === undefined ? [] : [turn.message];
  if (turn.calls.length === 0) return [...messages, ...reply];
  const results = turn.calls.map(({ id, name }, index) => toolResult(id, name, index));
  return [...messages, ...reply, { role: "tool", content: results }];
}

/**
 * The messages of the request after a turn: its results, or the next message of the user. A turn
 * that paused on the server goes back as it is.
 */
export function nextMessages(messages: readonly Message[], turn: Turn): readonly Message[] {
  const history = withResults(messages, turn);
  const pausedOnServer =
    turn.stopReason === "pause" && turn.message?.content.some(({ type }) => type === "native");
  return turn.calls.length > 0 || pausedOnServer
    ? history
    : [...history, { role: "user", content: "Go on." }];
}

export async function sentBody(harness: Harness, request: Partial<TurnRequest>): Promise<string> {
  await harness.read(new Uint8Array(0), { request });
  return harness.host.received()?.body ?? "";
}

/** Sends the history, and checks the request against the vendor's rules of each level. */
export async function checkRequestByLevel(
  harness: Harness,
  at: string,
  messages: readonly Message[],
): Promise<Readonly<Record<Level, Check>>> {
  const body = tryParseJson(await sentBody(harness, { messages }));
  const violations = harness.wire.violations(body, harness.host.received());
  const checkAt = (level: Level): Check => ({ at, ...requestFinding(violations, body, level) });
  return { must: checkAt("must"), should: checkAt("should") };
}

/** Sends the history, and checks the request against the rules of which each vendor is sure. */
export const checkRequest = async (
  ...sent: Parameters<typeof checkRequestByLevel>
): Promise<Check> => (await checkRequestByLevel(...sent)).must;
