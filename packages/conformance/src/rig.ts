import {
  type Adapter,
  type GateOptions,
  readTurn,
  type ToolSpec,
  type Turn,
  type TurnRequest,
} from "@fullstop/core";
import { render, shortened } from "./bytes.ts";
import type { Check } from "./clause.ts";
import { outline, wholeTurn } from "./expect.ts";
import type { Answer, Host } from "./host.ts";
import type { Effort } from "./places.ts";
import { said } from "./scenarios.ts";
import type { AdapterSubject } from "./subject.ts";
import { cap } from "./tokens.ts";
import type { Fixture, Frames, Wire } from "./wire.ts";

const spec = (
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
  spec("read", ["path", "lines"]),
  spec("write", ["path", "content", "mode", "force"]),
  spec("list", []),
  spec("weather", ["city", "emoji", "script", "lone"]),
  spec("search", ["query"]),
  spec("save", ["path"], ["path"]),
];
/** What the rig asks unless told otherwise. */
export const question: TurnRequest = {
  system: "Be brief.",
  messages: [{ role: "user", content: "Go." }],
  tools,
  maxTokens: cap,
};

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
  /** The scenarios and fixtures of the wire: all of them, or every fifth where bytes travel. */
  readonly exchanges: readonly Fixture[];
}

export function setUp(
  subject: AdapterSubject,
  host: Host,
  { exhaustive, sample }: Effort,
): Harness {
  const { wire, read = readTurn } = subject;
  const adapter = subject.adapter(host.endpoint);
  const neutral = said(wire).map(({ name, reply }) => ({
    name,
    frames: wire.frames(reply),
    turn: wholeTurn(wire, reply),
  }));
  return {
    wire,
    adapter,
    host,
    exhaustive,
    sample,
    exchanges: [...neutral, ...(wire.fixtures ?? [])].filter(
      (_, n) => !host.travels || n % 5 === 0,
    ),
    ask: (answer, { request, adapter: other, ...options } = {}) => {
      host.answer(answer instanceof Uint8Array ? { chunks: [answer] } : answer);
      return read(
        other === undefined ? adapter : { ...adapter, ...other },
        { ...question, ...request },
        options,
      );
    },
  };
}

/** Asks with the bytes, and compares how they read with what they must read as. */
export async function reads(
  rig: Harness,
  at: string,
  sent: { readonly bytes: Uint8Array<ArrayBuffer>; readonly expected: string },
): Promise<Check> {
  return compared(
    { at, expected: sent.expected, actual: outline(await rig.ask(sent.bytes)) },
    sent.bytes,
  );
}

/** A proof, with the bytes where it failed. */
export const compared = (proof: Check, bytes?: Uint8Array<ArrayBuffer>): Check =>
  proof.expected === proof.actual || bytes === undefined
    ? proof
    : { ...proof, bytes: shortened(bytes) };

/** Asks with the frames, plainly written down. */
export const readsFrames = (
  rig: Harness,
  at: string,
  sent: { readonly frames: Frames; readonly expected: string },
): Promise<Check> => reads(rig, at, { bytes: render(sent.frames).bytes, expected: sent.expected });
