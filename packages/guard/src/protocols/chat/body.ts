import { type Fields, isFields } from "@fullstop/core/adapter";
import type { BodyEditor, Edit } from "../protocol.ts";
import { callEntry, legacyCall, readChatReply, saysCalls } from "./calls.ts";
import {
  choicesOf,
  hasCalls,
  hasContent,
  holders,
  messageWithoutCalls,
  type PlacedChoice,
  withoutCalls,
  withoutSigned,
} from "./choice.ts";
import { reasonOf, withoutCallReason, withReason } from "./ending.ts";

/** Some hosts send a list of bodies. */
const bodiesIn = (native: unknown): readonly unknown[] =>
  Array.isArray(native) ? native : [native];

export const chatBody: BodyEditor = {
  hasCalls: (native) =>
    bodiesIn(native)
      .flatMap(choicesOf)
      .some(({ choice }) => hasCalls(choice)),
  says: (native, calls, isStrict) =>
    saysCalls(readChatReply(bodiesIn(native), "body"), calls, isStrict),
  edit: (native, edit) =>
    Array.isArray(native) ? native.map((one) => editBody(one, edit)) : editBody(native, edit),
};

function editBody(native: unknown, edit: Edit): unknown {
  if (!isFields(native) || !Array.isArray(native["choices"])) return native;
  const { isLegacy } = readChatReply([native], "body");
  const placed = choicesOf(native);
  const main = placed.find(({ isMain }) => isMain) ?? placed[0];
  const choices = placed.flatMap((one) =>
    one === main ? [editMain(one.choice, edit, isLegacy)] : editOther(one),
  );
  return { ...native, choices };
}

/** The choice that the gate read, with the note or the calls in place of its calls. */
function editMain(choice: Fields, edit: Edit, isLegacy: boolean): Fields {
  const name = holders.find((one) => isFields(choice[one])) ?? "message";
  const bare = messageWithoutCalls(choice[name]);
  // A body does not tell which reasoning came before the calls.
  const message = edit.calls.length === 0 ? withoutSigned(bare) : bare;
  const [call] = edit.calls;
  const says = isLegacy && edit.calls.length === 1;
  const reason = reasonOf(edit, says);
  const ended =
    reason === undefined
      ? withoutCallReason(choice)
      : { ...withReason(choice, reason), finish_reason: reason };
  return {
    ...ended,
    [name]: {
      ...message,
      content: contentOf(message["content"], edit),
      ...(edit.calls.length > 0 && !says && { tool_calls: edit.calls.map(callEntry) }),
      ...(call !== undefined && says && { function_call: legacyCall(call) }),
    },
  };
}

/** The content with the note. A message without calls needs a content. */
function contentOf(content: unknown, { calls, note }: Edit): unknown {
  if (note === undefined) return calls.length === 0 ? (content ?? "") : content;
  if (Array.isArray(content)) return [...content, { type: "text", text: note }];
  return typeof content === "string" && content !== "" ? content + note : note;
}

/** Another choice loses its calls. It is left out if nothing else is in it. */
function editOther({ choice }: PlacedChoice): readonly Fields[] {
  const changed = withoutCalls(choice);
  if (changed === choice) return [choice];
  return hasContent(changed) ? [withoutCallReason(changed)] : [];
}
