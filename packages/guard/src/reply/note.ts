import type { StopReason, Turn } from "@fullstop/core";
import { withheldNote } from "@fullstop/core/adapter";
import type { GuardOptions } from "../options.ts";
import { callUserFunction } from "../user-function.ts";

/** A reply that did not arrive becomes an error instead of an ending with a note. */
type NotNoted = "tool-use" | "interrupted" | "error" | "aborted";
type NotedTurn = Exclude<Turn, { readonly stopReason: NotNoted }>;
const notNoted: ReadonlySet<StopReason> = new Set<NotNoted>([
  "tool-use",
  "interrupted",
  "error",
  "aborted",
]);
/** Whether the reply arrived, so that it can end with a note. */
export const isNoted = (turn: Turn): turn is NotedTurn => !notNoted.has(turn.stopReason);

/** It begins on a line of its own, because clients join texts. */
export function noteOf(turn: NotedTurn, { note }: Pick<GuardOptions, "note">): string | undefined {
  if (note === false) return undefined;
  const standard = withheldNote(turn);
  const text = note === undefined ? standard : callUserFunction("note", () => note(turn), standard);
  return text !== undefined && turn.text !== "" ? `\n\n${text}` : text;
}
