import {
  type EventClass,
  eventText,
  type Fields,
  fieldsOf,
  type StreamEditor,
} from "../protocol.ts";
import { nativesOf, readReply, saysCalls } from "./calls.ts";
import {
  choicesOf,
  hasCalls,
  hasEnding,
  hasRole,
  hasText,
  isVisible,
  type PlacedChoice,
} from "./choice.ts";
import { editStream, type SeenReply } from "./edit.ts";
import { isCallReason } from "./ending.ts";
import { errorBody } from "./errors.ts";

export function createEditor(): StreamEditor {
  const seen: SeenReply = {
    head: undefined,
    opening: undefined,
    hasText: false,
    chunks: new Map(),
  };
  let isWithheld = false;
  return {
    classify(native) {
      const choices = choicesOf(native);
      if (choices.length > 0) seen.head ??= headOf(fieldsOf(native));
      if (choices.some(opensMain)) seen.opening ??= native;
      for (const placed of choices) noteChoice(seen, placed);
      if (isWithheld && choices.some(promisesCalls)) return "call";
      return classOf(choices.map(({ choice }) => choice));
    },
    says: (held, calls, isStrict) =>
      saysCalls(readReply(nativesOf(held), "stream"), calls, isStrict),
    edit(held, edit) {
      isWithheld = edit.calls.length === 0;
      return editStream(held, edit, seen);
    },
    fail: (failure) => eventText(errorBody(failure)),
  };
}

/** Hosts send a second stop reason. After the calls were withheld it must not promise them. */
const promisesCalls = ({ choice }: PlacedChoice): boolean => isCallReason(choice["finish_reason"]);

/** The members that all chunks of a reply have. */
const headMembers = ["id", "object", "created", "model"];
const headOf = (chunk: Fields): Fields =>
  Object.fromEntries(headMembers.flatMap((name) => (name in chunk ? [[name, chunk[name]]] : [])));

const opensMain = ({ choice, isMain }: PlacedChoice): boolean => isMain && hasRole(choice);

function noteChoice(seen: SeenReply, { choice, index, isMain }: PlacedChoice): void {
  if (isMain) seen.hasText ||= hasText(choice);
  seen.chunks.set(index, (seen.chunks.get(index) ?? 0) + 1);
}

/** A chunk with text and the end waits, because the end depends on the verdict. */
function classOf(choices: readonly Fields[]): EventClass {
  if (choices.some(hasCalls)) return "call";
  if (choices.some(hasEnding)) return "pending";
  if (choices.some(isVisible)) return "live";
  return choices.some(hasRole) ? "opening" : "pending";
}
