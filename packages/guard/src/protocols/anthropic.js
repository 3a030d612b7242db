import { parseJson } from "@fullstop/core/adapter";
import { eventText, fieldsOf, listOf } from "./protocol.ts";

/** Errors by status. https://platform.claude.com/docs/en/api/errors */
const errorTypes = {
  400: "invalid_request_error",
  415: "invalid_request_error",
  429: "rate_limit_error",
  529: "overloaded_error",
};
const errorBody = ({ status, message }) => ({
  type: "error",
  error: { type: errorTypes[status] ?? "api_error", message },
});
const endings = {
  calls: "tool_use",
  length: "max_tokens",
};
/** `stop_sequence` and `stop_details` belong to the stop reason that is replaced. */
const withEnding = (fields, ending) =>
  ending === "keep" || fields["stop_reason"] === endings[ending]
    ? fields
    : {
        ...fields,
        stop_reason: endings[ending],
        ...("stop_sequence" in fields && { stop_sequence: null }),
        ...("stop_details" in fields && { stop_details: null }),
      };
const isToolUse = (block) => fieldsOf(block)["type"] === "tool_use";
/** The input that a client assembles, as JSON text. */
const inputTextOf = (input) => (input === undefined || input === null ? "" : JSON.stringify(input));
const isEmptyObject = (text) => /^\s*(?:\{\s*\})?\s*$/.test(text);
const isSameInput = (text, other) =>
  text === other || (isEmptyObject(text) && isEmptyObject(other));
function areSame(read, calls) {
  return (
    read.length === calls.length &&
    read.every(({ id, name, inputText }, index) => {
      const call = calls[index];
      return (
        call?.id === id && call?.name === name && isSameInput(inputText, call?.inputText ?? "")
      );
    })
  );
}
/** The calls in events, as a client assembles them. */
function readCalls(held) {
  const calls = [];
  const open = new Map();
  for (const { native } of held) {
    const { type, index, content_block: block, delta } = fieldsOf(native);
    if (type === "content_block_start" && isToolUse(block)) {
      const { id, name, input } = fieldsOf(block);
      const start = inputTextOf(input);
      const pieces = isEmptyObject(start) ? [] : [start];
      open.set(index, pieces);
      calls.push({ id, name, inputText: "", pieces });
    } else if (type === "content_block_delta") {
      const { partial_json: piece } = fieldsOf(delta);
      if (typeof piece === "string") open.get(index)?.push(piece);
    }
  }
  return calls.map(({ pieces, ...call }) => ({ ...call, inputText: pieces.join("") }));
}
const isStrictEnding = (stopReason) => stopReason === "tool_use";
const classes = {
  message_start: "opening",
  content_block_delta: "live",
  content_block_stop: "live",
};
function createEditor() {
  const openBlocks = new Set();
  return {
    classify(native) {
      const { type, index, content_block: block } = fieldsOf(native);
      if (type === "content_block_start") {
        if (isToolUse(block)) return "call";
        openBlocks.add(index);
        return "live";
      }
      if (type === "content_block_stop") openBlocks.delete(index);
      return classes[String(type)] ?? "pending";
    },
    says: (held, calls, isStrict) =>
      areSame(readCalls(held), calls) &&
      (!isStrict ||
        held.some(({ native }) =>
          isStrictEnding(fieldsOf(fieldsOf(native)["delta"])["stop_reason"]),
        )),
    edit: (held, edit) => editStream(held, edit, openBlocks),
    fail: (failure) => eventText(errorBody(failure), "error"),
  };
}
/**
 * Leaves calls out, numbers the other blocks anew, and adds the new blocks before the end. Ends the
 * blocks that went out and never ended.
 */
function editStream(held, edit, openBlocks) {
  const numbering = createNumbering(held);
  const ended = new Set(
    held
      .map(({ native }) => fieldsOf(native))
      .filter(({ type }) => type === "content_block_stop")
      .map(({ index }) => index),
  );
  const before = [...openBlocks].filter((index) => !ended.has(index)).map(stopText);
  const added = () =>
    before.join("") +
    newBlocks(edit)
      .map((block) => blockText(block, numbering.next()))
      .join("");
  const end = held.findIndex(({ native }) => fieldsOf(native)["type"] === "message_delta");
  const content = end < 0 ? held : held.slice(0, end);
  const rest = end < 0 ? [] : held.slice(end);
  return (
    content.map(({ raw, native }) => numbering.apply(raw, fieldsOf(native))).join("") +
    added() +
    rest
      .map(({ raw, native }) =>
        fieldsOf(native)["type"] === "message_delta"
          ? editDelta(raw, fieldsOf(native), edit)
          : numbering.apply(raw, fieldsOf(native)),
      )
      .join("")
  );
}
const stopText = (index) => eventText({ type: "content_block_stop", index }, "content_block_stop");
function editDelta(raw, event, { ending }) {
  const delta = fieldsOf(event["delta"]);
  const changed = withEnding(delta, ending);
  return changed === delta ? raw : eventText({ ...event, delta: changed }, "message_delta");
}
const newBlocks = ({ calls, note }) => [...(note === undefined ? [] : [{ text: note }]), ...calls];
function blockText(block, index) {
  const [start, delta] = "text" in block ? textParts(block.text) : callParts(block);
  return [
    { type: "content_block_start", index, content_block: start },
    { type: "content_block_delta", index, delta },
    { type: "content_block_stop", index },
  ]
    .map((event) => eventText(event, event.type))
    .join("");
}
const textParts = (text) => [
  { type: "text", text: "" },
  { type: "text_delta", text },
];
const callParts = (call) => [
  { type: "tool_use", id: call.id, name: call.name, input: {}, ...fieldsOf(call.providerData) },
  { type: "input_json_delta", partial_json: call.inputText === "" ? "{}" : call.inputText },
];
function createNumbering(held) {
  const first = held.find(({ native }) => fieldsOf(native)["type"] === "content_block_start");
  const firstIndex = fieldsOf(first?.native)["index"];
  let next = typeof firstIndex === "number" ? firstIndex : 0;
  const indices = new Map();
  return {
    next: () => next++,
    apply(raw, event) {
      const { type, index, content_block: block } = event;
      if (typeof type !== "string" || !type.startsWith("content_block_")) return raw;
      if (type === "content_block_start") indices.set(index, isToolUse(block) ? "dropped" : next++);
      const number = indices.get(index) ?? index;
      if (number === "dropped") return "";
      return number === index ? raw : eventText({ ...event, index: number }, type);
    },
  };
}
const body = {
  hasCalls: (native) => listOf(fieldsOf(native)["content"]).some(isToolUse),
  says: (native, calls, isStrict) =>
    areSame(
      listOf(fieldsOf(native)["content"])
        .filter(isToolUse)
        .map(fieldsOf)
        .map(({ id, name, input }) => ({ id, name, inputText: inputTextOf(input) })),
      calls,
    ) &&
    (!isStrict || isStrictEnding(fieldsOf(native)["stop_reason"])),
  edit(native, edit) {
    const message = fieldsOf(native);
    const content = listOf(message["content"]).filter((block) => !isToolUse(block));
    const added = newBlocks(edit).map((block) =>
      "text" in block
        ? { type: "text", text: block.text }
        : { ...callParts(block)[0], input: parseJson(block.inputText || "{}") },
    );
    return { ...withEnding(message, edit.ending), content: [...content, ...added] };
  },
};
/** https://platform.claude.com/docs/en/build-with-claude/streaming */
export const anthropic = {
  name: "anthropic-messages",
  parse: parseJson,
  failBody: errorBody,
  keepAlive: eventText({ type: "ping" }, "ping"),
  afterError: "break",
  body,
  createEditor,
  addUserMessage({ messages, ...request }, text) {
    return Array.isArray(messages)
      ? { ...request, messages: [...messages, { role: "user", content: text }] }
      : undefined;
  },
};
