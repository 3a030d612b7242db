import type { ErrorKind, NativeStop, StopReason, Turn, Usage, WithheldCall } from "@fullstop/core";
import { isObject, sameJson } from "../harness/json.ts";

/** A turn as it is printed and compared: what it says, without what only its adapter reads of it. */
export interface RecordedTurn {
  readonly stopReason: StopReason;
  readonly native?: NativeStop;
  readonly text: string;
  readonly thinking: string;
  readonly calls: readonly { readonly id: string; readonly name: string; readonly input: object }[];
  readonly withheld: readonly WithheldCall[];
  readonly usage: Usage;
  readonly effects?: true;
  readonly error?: { readonly kind: ErrorKind; readonly message: string };
}

type Known<Part> = { readonly [Key in keyof Part]?: Part[Key] };
/**
 * What is known of a turn. A member that is absent is not compared, but for `calls`: without it, none may run.
 * Inside `input` everything counts.
 */
export interface ExpectedTurn
  extends Known<Omit<RecordedTurn, "stopReason" | "calls" | "usage" | "error" | "withheld">> {
  readonly stopReason: StopReason;
  readonly calls?: readonly (Known<RecordedTurn["calls"][number]> & {
    readonly name: string;
    readonly input: object;
  })[];
  readonly withheld?: readonly Known<WithheldCall>[];
  readonly usage?: Known<Usage>;
  readonly error?: Known<NonNullable<RecordedTurn["error"]>>;
  /** JSON that the next request must hold somewhere, whole. */
  readonly replays?: readonly unknown[];
  /** JSON that the next request must not hold anywhere. */
  readonly omits?: readonly unknown[];
}

/** A turn to print; `thinking` is what people could watch of it. */
export const recorded = (turn: Turn, thinking: string): RecordedTurn => ({
  stopReason: turn.stopReason,
  ...(turn.native && { native: turn.native }),
  text: turn.text,
  thinking,
  calls: turn.calls.map(({ id, name, input }) => ({ id, name, input })),
  withheld: turn.withheld.map(({ id, name, inputText, kind, reason }) => ({
    id,
    ...(name && { name }),
    inputText,
    ...(kind && { kind }),
    reason,
  })),
  usage: inOrder(turn.usage),
  ...(turn.sideEffects && { effects: turn.sideEffects }),
  ...("error" in turn && { error: { kind: turn.error.kind, message: turn.error.message } }),
});

const inOrder = ({ input, output, ...rest }: Usage): Usage => ({
  input,
  output,
  ...Object.fromEntries(Object.entries(rest).sort()),
});

const members: Readonly<Record<keyof ExpectedTurn, true>> = {
  stopReason: true,
  native: true,
  text: true,
  thinking: true,
  calls: true,
  withheld: true,
  usage: true,
  effects: true,
  error: true,
  replays: true,
  omits: true,
};

/** The JSON of a file as an expected turn; throws where it is none. `at` is the path. */
export function expectedTurn(value: unknown, at: string): ExpectedTurn {
  if (!isObject(value)) throw new Error(`${at}: a turn is a JSON object.`);
  const unknown = Object.keys(value).find((key) => !Object.hasOwn(members, key));
  if (unknown !== undefined)
    throw new Error(
      `${at}: a turn has no "${unknown}". It may have ${Object.keys(members).join(", ")}.`,
    );
  if (typeof value["stopReason"] !== "string") throw new Error(`${at}: "stopReason" is missing.`);
  const list = ["calls", "withheld", "replays", "omits"].find(
    (key) => value[key] !== undefined && !Array.isArray(value[key]),
  );
  if (list !== undefined) throw new Error(`${at}: "${list}" is an array.`);
  return value as unknown as ExpectedTurn;
}

/** Two values that should be one, and where they are. */
export interface Difference {
  readonly at: string;
  readonly expected: unknown;
  readonly actual: unknown;
}

/** Where a turn is another than expected. */
export function differences(
  { replays: _, omits: __, ...expected }: ExpectedTurn,
  actual: RecordedTurn,
): readonly Difference[] {
  return [...between({ calls: [], ...expected }, actual, "")];
}

function* between(expected: unknown, actual: unknown, at: string): Generator<Difference> {
  const parts = inside({ at, expected, actual });
  if (parts !== undefined)
    for (const part of parts) yield* between(part.expected, part.actual, part.at);
  else if (!sameJson(expected, actual)) yield { at, expected, actual };
}

/** The parts of two arrays of one length, or of two objects. */
function inside({ at, expected, actual }: Difference): readonly Difference[] | undefined {
  if (Array.isArray(expected) && Array.isArray(actual) && expected.length === actual.length)
    return expected.map((part, n) => ({ at: `${at}[${n}]`, expected: part, actual: actual[n] }));
  if (!isObject(expected) || !isObject(actual)) return undefined;
  const keys = /\.input\b/.test(at)
    ? new Set([...Object.keys(expected), ...Object.keys(actual)])
    : Object.keys(expected);
  return [...keys].map((key) => ({
    at: at === "" ? key : `${at}.${key}`,
    expected: expected[key],
    actual: actual[key],
  }));
}
