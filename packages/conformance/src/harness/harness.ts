import {
  type Adapter,
  type GateOptions,
  readTurn,
  type ToolSpec,
  type Turn,
  type TurnRequest,
} from "@fullstop/core";
import { render, describeBytes } from "./bytes.ts";
import type { Check } from "../clause.ts";
import { outline, expectedTurnOf } from "./expect.ts";
import type { Answer, Host } from "./host.ts";
import type { Effort } from "./places.ts";
import { repliesFor } from "./scenarios.ts";
import type { AdapterSubject } from "../subject.ts";
import { cap } from "./tokens.ts";
import type { Frames, Sample, Wire } from "../wire.ts";

const toolSpec = (
  name: string,
  properties: readonly string[],
  required?: readonly string[],
): ToolSpec => ({
  name,
  description: `The tool ${name}.`,
  inputSchema: {
    type: "object",
    properties: Object.fromEntries(properties.map((key) => [key, {}])),
    ...(required && { required }),
  },
});
const tools: readonly ToolSpec[] = [
  toolSpec("read", ["path", "lines"]),
  toolSpec("write", ["path", "content", "mode", "force"]),
  toolSpec("list", []),
  toolSpec("weather", ["city", "emoji", "script", "lone"]),
  toolSpec("search", ["query"]),
  toolSpec("save", ["path"], ["path"]),
];
/** What the harness asks unless told otherwise. */
export const defaultRequest: TurnRequest = {
  system: "Be brief.",
  messages: [{ role: "user", content: "Go." }],
  tools,
  maxTokens: cap,
};

/** A reply with its frames and the turn that the whole of it must read as. */
export interface Exchange {
  readonly name: string;
  readonly frames: Frames;
  readonly turn: Sample["turn"];
}
/** What is other than usual, this once. */
export interface AskOptions extends GateOptions {
  readonly request?: Partial<TurnRequest> | undefined;
  readonly idleMs?: number | undefined;
  /** Members of the adapter that are other for this once. */
  readonly adapter?: Partial<Adapter> | undefined;
}

/** A subject set up to be asked: it gets the answer, and says how it reads. */
export interface Harness extends Effort {
  readonly wire: Wire;
  readonly adapter: Adapter;
  readonly host: Host;
  ask(answer: Answer | Uint8Array<ArrayBuffer>, options?: AskOptions): Promise<Turn>;
  /** The scenarios and samples of the wire: all of them, or every fifth where bytes travel. */
  readonly exchanges: readonly Exchange[];
}

export function createHarness(
  subject: AdapterSubject,
  host: Host,
  { exhaustive, sample }: Effort,
): Harness {
  const { wire, read = readTurn } = subject;
  const adapter = subject.adapter(host.endpoint);
  const neutral = repliesFor(wire).map(({ name, reply }) => ({
    name,
    frames: wire.frames(reply),
    turn: expectedTurnOf(wire, reply),
  }));
  return {
    wire,
    adapter,
    host,
    exhaustive,
    sample,
    exchanges: [...neutral, ...(wire.samples ?? [])].filter(
      (_, n) => !host.usesNetwork || n % 5 === 0,
    ),
    ask: (answer, { request, adapter: other, ...options } = {}) => {
      host.answer(answer instanceof Uint8Array ? { chunks: [answer] } : answer);
      return read(
        other === undefined ? adapter : { ...adapter, ...other },
        { ...defaultRequest, ...request },
        options,
      );
    },
  };
}

/** Asks with the bytes, and compares how they read with what they must read as. */
export async function checkBytes(
  harness: Harness,
  at: string,
  sent: { readonly bytes: Uint8Array<ArrayBuffer>; readonly expected: string },
): Promise<Check> {
  return withBytes(
    { at, expected: sent.expected, actual: outline(await harness.ask(sent.bytes)) },
    sent.bytes,
  );
}

/** A check, with the bytes where it failed. */
export const withBytes = (check: Check, bytes?: Uint8Array<ArrayBuffer>): Check =>
  check.expected === check.actual || bytes === undefined
    ? check
    : { ...check, bytes: describeBytes(bytes) };

/** Asks with the frames, plainly written down. */
export const checkFrames = (
  harness: Harness,
  at: string,
  sent: { readonly frames: Frames; readonly expected: string },
): Promise<Check> =>
  checkBytes(harness, at, { bytes: render(sent.frames).bytes, expected: sent.expected });
