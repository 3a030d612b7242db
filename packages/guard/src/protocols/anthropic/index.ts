import { fieldsOf } from "@fullstop/core/adapter";
import { parseAnthropic } from "@fullstop/provider-anthropic/reply";
import { addToMessages, type BodyEditor, eventText, listOf, type Protocol } from "../protocol.ts";
import { areSameCalls } from "../same-calls.ts";
import { blockCallsIn, isToolUse } from "./calls.ts";
import { isStrictEnding, newBlocks, withEnding } from "./content.ts";
import { createServerCalls } from "./server-calls.ts";
import { anthropicErrorBody, createMessageEditor } from "./stream.ts";

const messageBody: BodyEditor = {
  hasCalls: (native) => listOf(fieldsOf(native)["content"]).some(isToolUse),
  says: (native, calls, isStrict) =>
    areSameCalls(blockCallsIn(native), calls) &&
    (!isStrict || isStrictEnding(fieldsOf(native)["stop_reason"])),
  edit(native, edit) {
    const message = fieldsOf(native);
    const content = listOf(message["content"]).filter((block) => !isToolUse(block));
    const added = newBlocks(edit).map(({ whole }) => whole);
    const serverCalls = createServerCalls();
    for (const block of content) serverCalls.add(block);
    const ending = serverCalls.endingOf(edit.ending, message["stop_reason"]);
    return { ...withEnding(message, ending), content: [...content, ...added] };
  },
};

/** https://platform.claude.com/docs/en/build-with-claude/streaming */
export const anthropic: Protocol = {
  name: "anthropic-messages",
  parse: parseAnthropic,
  failBody: anthropicErrorBody,
  keepAlive: eventText({ type: "ping" }, "ping"),
  afterError: "break",
  body: messageBody,
  createEditor: createMessageEditor,
  addUserMessage: addToMessages,
};
