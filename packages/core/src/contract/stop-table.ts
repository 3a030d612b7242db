import type { ErrorKind } from "./error.ts";
import type { ClaimedStop } from "./stop.ts";

/**
 * What a native stop reason claims. `null`: the reply goes on (`in_progress`). `calls: "never"`:
 * the reply ended, and no call of it may run (`stop_sequence`).
 */
export type Claim =
  | ClaimedStop
  | null
  | { readonly stop: ClaimedStop; readonly calls?: "never"; readonly error?: ErrorKind };
/**
 * What each native stop reason claims. A key may be `reason:detail`; the longer key wins. `Known`
 * is the SDK's own union: a value that the SDK adds then fails to compile until the table lists it.
 */
export type StopTable<Known extends string = never> = Readonly<Record<string, Claim>> &
  Readonly<Record<Known, Claim>>;

export interface ParsedClaim {
  readonly stop: ClaimedStop;
  readonly calls?: "never";
  readonly error?: ErrorKind;
}

/** Hosts send `null`, `""` and `"null"` as long as there is no stop reason. */
export const isNativeStop = (native: unknown): native is string =>
  typeof native === "string" && native.trim() !== "" && native !== "null";

/** Undefined if the reply goes on. An unlisted native stop reason is `unknown`. */
export function lookUpStop(
  stops: StopTable,
  native: string,
  detail?: unknown,
): ParsedClaim | undefined {
  if (!isNativeStop(native)) return undefined;
  const specific = `${native}:${String(detail)}`;
  const key = typeof detail === "string" && Object.hasOwn(stops, specific) ? specific : native;
  if (!Object.hasOwn(stops, key)) return { stop: "unknown", error: "unknown-stop" };
  const claim = stops[key];
  if (claim === null || claim === undefined) return undefined;
  return typeof claim === "string" ? { stop: claim } : claim;
}
