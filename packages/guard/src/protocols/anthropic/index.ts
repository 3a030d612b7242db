import { type Fields, fieldsOf } from "@fullstop/core/adapter";
import { parseAnthropic } from "@fullstop/provider-anthropic/reply";
import { editNumbered, type NumberedEvents } from "../numbering.ts";
import { createPlacer, placeCalls } from "../placed-calls.ts";
import {
  type BodyEditor,
  type Edit,
  type EventClass,
  eventText,
  type Failure,
  listOf,
  type Protocol,
  type ReplyFrame,
  type StreamEditor,
} from "../protocol.ts";
import { areSameCalls } from "../same-calls.ts";
import {
  blockCallsIn,
  createCallReader,
  endsMessage,
  isThinking,
  isToolUse,
  openBlock,
  readBlock,
} from "./calls.ts";
import { isStrictEnding, newBlocks, withEnding } from "./content.ts";
import { createServerCalls, type ServerCalls } from "./server-calls.ts";

/** Errors by status. https://platform.claude.com/docs/en/api/errors */
const anthropicErrorTypes: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  413: "request_too_large",
  415: "invalid_request_error",
  429: "rate_limit_error",
  503: "overloaded_error",
  529: "overloaded_error",
};
const anthropicErrorBody = ({ status, message }: Failure): Fields => ({
  type: "error",
  error: { type: anthropicErrorTypes[status] ?? "api_error", message },
});

const classes: Readonly<Record<string, EventClass>> = {
  message_start: "opening",
  content_block_delta: "live",
  content_block_stop: "live",
};

/** Tools that the provider runs. Others of such a name are for a client that knows them. */
const serverTools: ReadonlySet<unknown> = new Set(["tool_use", "server_tool_use", "mcp_tool_use"]);
const isForeignCall = (block: unknown): boolean => {
  const { type } = fieldsOf(block);
  return /_(?:tool_use|call)$/.test(String(type)) && !serverTools.has(type);
};
/** An unknown block with a call, and a piece of an input in a block of text. */
function createForeignCalls(): (native: unknown) => boolean {
  const texts = new Set<unknown>();
  return (native) => {
    const { type, index, content_block: block, content, delta } = fieldsOf(native);
    if (type === "content_block_start" && isText(block)) texts.add(index);
    const isPiece = type === "content_block_delta" && texts.has(index) && isInput(delta);
    return isPiece || isForeignCall(block) || listOf(content).some(isForeignCall);
  };
}
const isText = (block: unknown): boolean =>
  ["text", "thinking"].includes(String(fieldsOf(block)["type"]));
const isInput = (delta: unknown): boolean => Boolean(fieldsOf(delta)["partial_json"]);

function createMessageEditor(): StreamEditor {
  const openBlocks = new Set<unknown>();
  const serverCalls = createServerCalls();
  return {
    classify(native): EventClass {
      const { type, index, content_block: block, message } = fieldsOf(native);
      if (type === "message_start" && listOf(fieldsOf(message)["content"]).some(isToolUse))
        return "call";
      if (type === "content_block_start") {
        if (isToolUse(block)) return "call";
        serverCalls.add(block);
        openBlocks.add(index);
        return "live";
      }
      if (type === "content_block_stop") openBlocks.delete(index);
      return classes[String(type)] ?? "pending";
    },
    hasForeignCall: createForeignCalls(),
    createCallReader,
    isEnd: endsMessage,
    edit: (held, edit) => editMessageStream(held, edit, { openBlocks, serverCalls }),
    fail: (failure) => eventText(anthropicErrorBody(failure), "error"),
  };
}

const blockEvents: NumberedEvents = {
  nameKey: "type",
  prefix: "content_block_",
  blockKey: "content_block",
  isCall: isToolUse,
  isBound: isThinking,
  openCall: openBlock,
  pieceIn: ({ partial_json: piece }) => piece,
  newBlocks,
};

interface EditContext {
  /** The indices of the blocks that went out and have not ended. */
  readonly openBlocks: ReadonlySet<unknown>;
  readonly serverCalls: ServerCalls;
}

/** The end of the message comes once, behind the new blocks. */
function editMessageStream(
  held: readonly ReplyFrame[],
  edit: Edit,
  { openBlocks, serverCalls }: EditContext,
): string {
  const end = held.findIndex(({ native }) => isDelta(fieldsOf(native)));
  const stop = held.findLastIndex(isStop);
  const hasStop = end >= 0 && stop > end;
  const frames = held.filter((frame, at) => !isStop(frame) || (hasStop && at === stop));
  const text = editNumbered(frames, blockEvents, {
    open: openBlocks,
    edit,
    isEnd: isDelta,
    change: (raw, event) => (isDelta(event) ? editDelta(raw, event, { edit, serverCalls }) : raw),
  });
  // The reply may have named its stop reason and been cut behind it.
  return hasStop ? text : text + eventText({ type: "message_stop" }, "message_stop");
}

const isDelta = ({ type }: Fields): boolean => type === "message_delta";
const isStop = ({ native }: ReplyFrame): boolean => fieldsOf(native)["type"] === "message_stop";

function editDelta(
  raw: string,
  event: Fields,
  { edit, serverCalls }: { readonly edit: Edit; readonly serverCalls: ServerCalls },
): string {
  const delta = fieldsOf(event["delta"]);
  const changed = withEnding(delta, serverCalls.endingOf(edit.ending, delta["stop_reason"]));
  return changed === delta ? raw : eventText({ ...event, delta: changed }, "message_delta");
}

const messageBody: BodyEditor = {
  hasCalls: (native) => listOf(fieldsOf(native)["content"]).some(isToolUse),
  says: (native, calls, isStrict) =>
    areSameCalls(blockCallsIn(native), calls) &&
    (!isStrict || isStrictEnding(fieldsOf(native)["stop_reason"])),
  edit(native, edit) {
    const message = fieldsOf(native);
    const content = placeCalls(listOf(message["content"]), createPlacer(edit.calls, blockEvents), {
      readCall: readBlock,
      render: (calls) => newBlocks({ calls }).map(({ whole }) => whole),
    });
    const serverCalls = createServerCalls();
    for (const block of content) serverCalls.add(block);
    const ending = serverCalls.endingOf(edit.ending, message["stop_reason"]);
    const note = newBlocks({ calls: [], note: edit.note }).map(({ whole }) => whole);
    return { ...withEnding(message, ending), content: [...content, ...note] };
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
};
