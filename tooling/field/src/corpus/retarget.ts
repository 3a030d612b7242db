import { isDeepStrictEqual } from "node:util";
import type { Fixture, ReplyCall } from "@fullstop/conformance";

/** The input of a call of a reply, and the call that takes its place. */
interface Replacement {
  readonly from: { readonly name: string; readonly input: unknown; readonly text: string };
  readonly to: ReplyCall;
  /** How many characters of the old input have come. */
  arrived: number;
}

/** The part of the new input that is as far along as a part of the old one. */
function partOf({ from, to }: Replacement, start: number, end: number): string {
  const text = JSON.stringify(to.input);
  const place = (at: number): number => Math.floor((at * text.length) / from.text.length);
  return text.slice(place(start), place(end));
}

function parseValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A piece of an input: a whole input, the next part of one, or its beginning once more. */
function replacePiece(all: readonly Replacement[], piece: string): string {
  const value = parseValue(piece);
  const whole = all.find(({ from }) => isDeepStrictEqual(from.input, value));
  if (whole !== undefined) {
    whole.arrived = whole.from.text.length;
    return JSON.stringify(whole.to.input);
  }
  const next = all.find(
    ({ from, arrived }) => arrived < from.text.length && from.text.startsWith(piece, arrived),
  );
  if (next !== undefined) {
    const start = next.arrived;
    next.arrived += piece.length;
    return partOf(next, start, next.arrived);
  }
  const again = all.find(({ from }) => from.text.startsWith(piece));
  if (again === undefined) return piece;
  again.arrived = Math.max(again.arrived, piece.length);
  return partOf(again, 0, piece.length);
}

/** The members in which the protocols send inputs. */
const inputKeys: ReadonlySet<string> = new Set([
  "args",
  "arguments",
  "delta",
  "input",
  "partial_json",
]);

function replaceIn(all: readonly Replacement[], key: string, value: unknown): unknown {
  const named = key === "name" ? all.find(({ from }) => from.name === value) : undefined;
  if (named !== undefined) return named.to.name;
  if (typeof value === "string")
    return inputKeys.has(key) && value !== "" ? replacePiece(all, value) : value;
  if (typeof value !== "object" || value === null) return value;
  const whole = inputKeys.has(key)
    ? all.find(({ from }) => isDeepStrictEqual(from.input, value))
    : undefined;
  if (whole !== undefined) return whole.to.input;
  if (Array.isArray(value)) return value.map((inner) => replaceIn(all, "", inner));
  return Object.fromEntries(
    Object.entries(value).map(([inner, part]) => [inner, replaceIn(all, inner, part)]),
  );
}

/**
 * The same reply with the calls of a program in place of its own, so that the program runs them.
 * `undefined` if the reply has no call or more calls than the program.
 */
export function retarget(
  { frames, turn }: Pick<Fixture, "frames" | "turn">,
  calls: readonly ReplyCall[],
): Fixture["frames"] | undefined {
  if (turn.calls.length === 0 || turn.calls.length > calls.length) return undefined;
  const all = turn.calls.map(({ name, input }, index): Replacement => {
    const to = calls[index] as ReplyCall;
    return { from: { name, input, text: JSON.stringify(input) }, to, arrived: 0 };
  });
  const rewrite = (payload: string): string => {
    const event = parseValue(payload);
    return event === undefined ? payload : JSON.stringify(replaceIn(all, "", event));
  };
  const { upToTerminal, after } = frames;
  return { upToTerminal: upToTerminal.map(rewrite), after: (after ?? []).map(rewrite) };
}
