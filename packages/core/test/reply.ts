import type { InputKey, SentRequest, TurnEvent } from "../src/adapter/index.ts";
import {
  type Adapter,
  createGate,
  type ReadOptions,
  type Turn,
  toProviderError,
} from "../src/index.ts";
import { acme } from "./acme.ts";

/** One native event of acme. */
export type Native = TurnEvent | readonly TurnEvent[];
export interface Setting extends SentRequest, Pick<ReadOptions, "signal" | "onPreview"> {
  readonly adapter?: Partial<Adapter>;
  /** What the transport throws after the last event. */
  readonly thrown?: unknown;
}

/** The turn that the gate makes of a reply. */
export function settle(
  natives: readonly Native[],
  { adapter, signal, onPreview, thrown, ...request }: Setting = {},
): Turn {
  const gate = createGate(acme(adapter), request, { signal, onPreview });
  for (const native of natives) gate.push(native);
  if (thrown !== undefined) gate.fail(toProviderError(thrown, acme(adapter)));
  return gate.end();
}

/** A protocol that closes the turn and not each call (Chat). */
export const implicitEnds: Partial<Adapter> = { toolInputEnd: "implicit" };

export const text = (written: string): TurnEvent => ({ type: "text", text: written });
export const thinking = (written: string): TurnEvent => ({ type: "thinking", text: written });
export const providerData = (data: unknown, key?: InputKey): TurnEvent => ({
  type: "provider-data",
  data,
  key,
});
export const native = (
  data: unknown,
  pair: { readonly opens?: string; readonly closes?: string } = {},
): TurnEvent => ({
  type: "native",
  data,
  ...pair,
});
export const usage = (output: number, towardCap?: number | null): TurnEvent => ({
  type: "usage",
  usage: { input: 9, output, ...(towardCap !== undefined && { towardCap }) },
});
export const stop = (word: string, provisional?: boolean, detail?: unknown): TurnEvent => ({
  type: "stop",
  native: word,
  provisional,
  detail,
});
export const fails = (code: string, message = "It failed."): TurnEvent => ({
  type: "error",
  native: code,
  message,
});

export const start = (key: InputKey, name?: string, id?: string): TurnEvent => ({
  type: "tool-input-start",
  key,
  name,
  id,
});
/** The beginning of an input that says another one once more. */
export const echo = (key: InputKey, name?: string): TurnEvent => ({
  type: "tool-input-start",
  key,
  name,
  echo: true,
});
export const delta = (key: InputKey, written: string): TurnEvent => ({
  type: "tool-input-delta",
  key,
  text: written,
});
export const end = (key: InputKey, whole?: string): TurnEvent => ({
  type: "tool-input-end",
  key,
  text: whole,
});

/** An input as it comes from a host that closes each. */
export const input = (
  name: string,
  written: string,
  key: InputKey = name,
): readonly TurnEvent[] => [start(key, name, `id-${key}`), delta(key, written), end(key)];
/** An input that only the end of the turn closes. */
export const unclosed = (
  name: string,
  written: string,
  key: InputKey = name,
): readonly TurnEvent[] => input(name, written, key).slice(0, 2);
export const read: readonly TurnEvent[] = input("read", '{"path":"a"}');

/** What a turn says of its calls, in one line. */
export function verdict({ stopReason, calls, withheld }: Turn): string {
  const names = (all: readonly { readonly name?: string | undefined }[]): string =>
    all.map(({ name }) => name ?? "?").join(", ");
  const held =
    withheld.length === 0
      ? ""
      : `, withholds ${names(withheld)}: ${[...new Set(withheld.map(({ reason: why }) => why))].join(", ")}`;
  return `${stopReason}${calls.length === 0 ? "" : `, runs ${names(calls)}`}${held}`;
}
