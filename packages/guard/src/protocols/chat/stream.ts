import { type Fields, fieldsOf } from "@fullstop/core/adapter";
import { type EventClass, eventText, type StreamEditor } from "../protocol.ts";
import { createReplyReader, saysCalls } from "./calls.ts";
import { choicesOf, hasCalls, hasEnding, hasRole, isVisible, type PlacedChoice } from "./choice.ts";
import { editChatStream, type SeenChunks } from "./edit.ts";
import { chatErrorBody } from "./errors.ts";

export function createChatEditor(): StreamEditor {
  const seen: SeenChunks = {
    head: undefined,
    opening: undefined,
    chunks: new Map(),
  };
  return {
    classify(native) {
      const choices = choicesOf(native);
      if (choices.length > 0) seen.head ??= headOf(fieldsOf(native));
      if (choices.some(opensMain)) seen.opening ??= native;
      for (const placed of choices) countChoice(seen, placed);
      return classOf(choices.map(({ choice }) => choice));
    },
    createCallReader() {
      const reader = createReplyReader("stream");
      return {
        add: reader.add,
        says: (calls, isStrict) => saysCalls(reader.read(), calls, isStrict),
      };
    },
    edit: (held, edit) => editChatStream(held, edit, seen),
    fail: (failure) => eventText(chatErrorBody(failure)),
  };
}

const headMembers = ["id", "object", "created", "model"];
const headOf = (chunk: Fields): Fields =>
  Object.fromEntries(headMembers.flatMap((name) => (name in chunk ? [[name, chunk[name]]] : [])));

const opensMain = ({ choice, isMain }: PlacedChoice): boolean => isMain && hasRole(choice);

function countChoice(seen: SeenChunks, { index }: PlacedChoice): void {
  seen.chunks.set(index, (seen.chunks.get(index) ?? 0) + 1);
}

/** A chunk with text and the end waits, because the end depends on the verdict. */
function classOf(choices: readonly Fields[]): EventClass {
  if (choices.some(hasCalls)) return "call";
  if (choices.some(hasEnding)) return "pending";
  if (choices.some(isVisible)) return "live";
  return choices.some(hasRole) ? "opening" : "pending";
}
