import { type Fields, isNullish, isObject, listOrEmpty, members, nonBlank } from "../json.ts";
import type { Notes } from "../notes.ts";
import { isBlank, readPiece } from "./pieces.ts";

/** What a chunk says about the reply that it belongs to. */
interface ChunkIds {
  readonly id: string | undefined;
  readonly hasChoice: boolean;
  readonly hasRole: boolean;
  /** It has a stop reason, and neither a text nor a call. */
  readonly isOnlyEnd: boolean;
  /** The index and the id of each call that it names. */
  readonly calls: readonly (readonly [index: unknown, id: string | undefined])[];
  readonly hasCalls: boolean;
}

function chunkIds(notes: Notes, chunk: Fields): ChunkIds {
  const [choice] = listOrEmpty(chunk["choices"]).map(members);
  const delta = members(choice?.["delta"]);
  const calls = listOrEmpty(delta["tool_calls"]).map(members);
  const legacy = delta["function_call"];
  const begun = calls.some((call) => !isBlank(readPiece(notes, call)));
  const hasContent =
    begun ||
    (isObject(legacy) && !isBlank(readPiece(notes, { function: legacy }))) ||
    ["content", "refusal", "reasoning_content"].some((key) => Boolean(delta[key]));
  const isOnlyEnd = !hasContent && nonBlank(choice?.["finish_reason"]) !== undefined;
  return {
    id: nonBlank(chunk["id"]),
    hasChoice: choice !== undefined,
    hasRole: nonBlank(delta["role"]) !== undefined && !isOnlyEnd,
    isOnlyEnd,
    calls: calls.map(({ index, id }) => [index, nonBlank(id)]),
    hasCalls: begun || delta["function_call"] !== undefined,
  };
}

/**
 * Notes chunks of another reply behind a call. Only an id that stayed for two chunks names a reply,
 * because some hosts give every chunk an id of its own.
 */
export function noteSecondReply(notes: Notes, events: readonly unknown[]): void {
  const chunks = events.map((event) => chunkIds(notes, members(event)));
  const ids = chunks.map(({ id }) => id);
  const firstCall = chunks.findIndex(({ hasCalls }) => hasCalls);
  if (firstCall < 0) return;
  const given = chunks.filter(({ id }) => id !== undefined);
  const stays = given.find(
    (chunk, at) => chunks.indexOf(chunk) >= firstCall && given[at - 1]?.id === chunk.id,
  );
  for (const [at, chunk] of chunks.entries()) {
    if (at <= firstCall || chunk.id === undefined || chunk.id === ids[firstCall]) continue;
    if (chunk.isOnlyEnd) continue; // a gateway's own last chunk
    const before = chunks.slice(0, at);
    const isSure =
      stays !== undefined &&
      chunks.indexOf(stays) < at &&
      stays.id !== chunk.id &&
      begins(chunk, before);
    notes[isSure ? "flaw" : "doubt"]("a chunk of another reply");
  }
}

/** It has a role again, or a call under the index of another one. */
const begins = ({ hasRole, calls }: ChunkIds, before: readonly ChunkIds[]): boolean =>
  (hasRole && before.findLast(({ hasChoice }) => hasChoice)?.hasRole !== true) ||
  calls.some(([index, id]) => {
    const known = before.flatMap((chunk) => chunk.calls);
    const last = known.findLast((call) => call[0] === index && call[1] !== undefined);
    return !isNullish(index) && id !== undefined && last !== undefined && last[1] !== id;
  });
