import { type Fields, isListOrNone, isNullish, isObject, isTextOrNone, nonBlank } from "../json.ts";
import type { Notes } from "../notes.ts";
import type { WireCall } from "../reading.ts";
import { assembleArguments, partialArgsOf } from "./partial.ts";

/** Where a reader collects the calls of a reply. */
interface CallList {
  readonly notes: Notes;
  readonly calls: ReceivedCall[];
}
export interface ReceivedCall {
  readonly name: string | undefined;
  readonly id: string | undefined;
  /** The complete arguments; `undefined` if they are streamed. */
  readonly text: string | undefined;
  readonly pieces: Fields[];
  open: boolean;
}

export function takeCall({ notes, calls }: CallList, call: Fields): boolean {
  const { name, id, args, willContinue } = call;
  const last = calls.at(-1);
  const pieces = partialArgsOf(call);
  const isOpen = willContinue === true;
  notes.ambiguity("deltas that are not a list", !isListOrNone(call["partialArgs"]));
  if (last?.open) {
    notes.ambiguity(
      "a call inside another",
      [nonBlank(name), nonBlank(id), args].some((member) => member !== undefined),
    );
    last.pieces.push(...pieces);
    last.open = isOpen;
    return true;
  }
  notes.doubt("the end of a call that did not begin", Object.keys(call).length === 0);
  if (Object.keys(call).length === 0) return false;
  noteCall(notes, call);
  const isStreamed = isOpen || call["partialArgs"] !== undefined;
  const whole = isObject(args) ? JSON.stringify(args) : "{}";
  calls.push({
    name: nonBlank(name),
    id: nonBlank(id),
    text: isStreamed ? undefined : whole,
    pieces: [...pieces],
    open: isOpen,
  });
  return true;
}

export function noteCall(
  notes: Notes,
  { name, id, args, willContinue, partialArgs: pieces }: Fields,
): void {
  notes.ambiguity("an empty call", ![name, id].some(nonBlank) && args === undefined);
  notes.ambiguity("a name or an id that is not a string", ![name, id].every(isTextOrNone));
  notes.ambiguity("arguments that are not an object", !isNullish(args) && !isObject(args));
  notes.ambiguity(
    "a call both complete and in pieces",
    (willContinue === true || pieces !== undefined) && args !== undefined,
  );
  notes.ambiguity(
    "a call that may continue",
    willContinue !== undefined && typeof willContinue !== "boolean",
  );
}

export function receivedWireCall(
  notes: Notes,
  { name, id, text: whole, pieces, open }: ReceivedCall,
): WireCall {
  notes.ambiguity("unfinished arguments", open);
  const value = whole === undefined ? assembleArguments(pieces) : undefined;
  notes.ambiguity("arguments whose pieces do not fit", whole === undefined && value === undefined);
  return { name, id, text: whole ?? JSON.stringify(value ?? {}) };
}
