import { type Fields, isListOrNone, isNullish, isObject, isTextOrNone, nonBlank } from "../json.ts";
import { type Notes, noteAmbiguity, noteDoubt } from "../notes.ts";
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
  noteAmbiguity(notes, "deltas that are not a list", !isListOrNone(call["partialArgs"]));
  if (last?.open) {
    noteAmbiguity(
      notes,
      "a call inside another",
      [nonBlank(name), nonBlank(id), args].some((member) => member !== undefined),
    );
    last.pieces.push(...pieces);
    last.open = isOpen;
    return true;
  }
  noteDoubt(notes, "the end of a call that did not begin", Object.keys(call).length === 0);
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
  noteAmbiguity(notes, "an empty call", ![name, id].some(nonBlank) && args === undefined);
  noteAmbiguity(notes, "a name or an id that is not a string", ![name, id].every(isTextOrNone));
  noteAmbiguity(notes, "arguments that are not an object", !isNullish(args) && !isObject(args));
  noteAmbiguity(
    notes,
    "a call both complete and in pieces",
    (willContinue === true || pieces !== undefined) && args !== undefined,
  );
  noteAmbiguity(
    notes,
    "a call that may continue",
    willContinue !== undefined && typeof willContinue !== "boolean",
  );
}

export function receivedWireCall(
  notes: Notes,
  { name, id, text: whole, pieces, open }: ReceivedCall,
): WireCall {
  noteAmbiguity(notes, "unfinished arguments", open);
  const value = whole === undefined ? assembleArguments(pieces) : undefined;
  noteAmbiguity(
    notes,
    "arguments whose pieces do not fit",
    whole === undefined && value === undefined,
  );
  return { name, id, text: whole ?? JSON.stringify(value ?? {}), free: false, restated: false };
}
