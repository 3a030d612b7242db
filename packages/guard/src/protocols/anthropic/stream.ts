import { type Fields, fieldsOf } from "@fullstop/core/adapter";
import { createNumbering, type NumberedEvents } from "../numbering.ts";
import {
  type Edit,
  type EventClass,
  eventText,
  listOf,
  type ReplyFrame,
  type StreamEditor,
} from "../protocol.ts";
import { createCallReader, endsMessage, isToolUse } from "./calls.ts";
import { blockText, newBlocks, withEnding } from "./content.ts";
import { anthropicErrorBody } from "./errors.ts";
import { createServerCalls, type ServerCalls } from "./server-calls.ts";

const classes: Readonly<Record<string, EventClass>> = {
  message_start: "opening",
  content_block_delta: "live",
  content_block_stop: "live",
};

export function createMessageEditor(): StreamEditor {
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
    createCallReader,
    isEnd: endsMessage,
    edit: (held, edit) => editMessageStream(held, edit, { openBlocks, serverCalls }),
    fail: (failure) => eventText(anthropicErrorBody(failure), "error"),
  };
}

const blockEvents: NumberedEvents = {
  nameOf: ({ type }) => type,
  prefix: "content_block_",
  start: "content_block_start",
  isCall: ({ content_block: block }) => isToolUse(block),
};

interface EditContext {
  /** The indices of the blocks that went out and have not ended. */
  readonly openBlocks: ReadonlySet<unknown>;
  readonly serverCalls: ServerCalls;
}

/** Ends the blocks that went out and never ended. */
function editMessageStream(
  held: readonly ReplyFrame[],
  edit: Edit,
  { openBlocks, serverCalls }: EditContext,
): string {
  const numbering = createNumbering(held, blockEvents);
  const ended = new Set(
    held
      .map(({ native }) => fieldsOf(native))
      .filter(({ type }) => type === "content_block_stop")
      .map(({ index }) => index),
  );
  const before = [...openBlocks].filter((index) => !ended.has(index)).map(stopText);
  const added = (): string =>
    before.join("") +
    newBlocks(edit)
      .map((block) => blockText(block, numbering.next()))
      .join("");
  const end = held.findIndex(({ native }) => fieldsOf(native)["type"] === "message_delta");
  // The end of the message comes once, behind the new blocks.
  const content = (end < 0 ? held : held.slice(0, end)).filter((frame) => !isStop(frame));
  const rest = end < 0 ? [] : withOneStop(held.slice(end));
  return (
    content.map(({ raw, native }) => numbering.apply(raw, fieldsOf(native))).join("") +
    added() +
    rest
      .map(({ raw, native }) =>
        fieldsOf(native)["type"] === "message_delta"
          ? editDelta(raw, fieldsOf(native), { edit, serverCalls })
          : numbering.apply(raw, fieldsOf(native)),
      )
      .join("") +
    missingStop(rest)
  );
}

const isStop = ({ native }: ReplyFrame): boolean => fieldsOf(native)["type"] === "message_stop";

const withOneStop = (frames: readonly ReplyFrame[]): readonly ReplyFrame[] => {
  const last = frames.findLastIndex(isStop);
  return frames.filter((frame, index) => index === last || !isStop(frame));
};

/** The reply named its stop reason and was cut behind it. */
function missingStop(rest: readonly ReplyFrame[]): string {
  return rest.some(isStop) ? "" : eventText({ type: "message_stop" }, "message_stop");
}

const stopText = (index: unknown): string =>
  eventText({ type: "content_block_stop", index }, "content_block_stop");

function editDelta(
  raw: string,
  event: Fields,
  { edit, serverCalls }: { readonly edit: Edit; readonly serverCalls: ServerCalls },
): string {
  const delta = fieldsOf(event["delta"]);
  const changed = withEnding(delta, serverCalls.endingOf(edit.ending, delta["stop_reason"]));
  return changed === delta ? raw : eventText({ ...event, delta: changed }, "message_delta");
}
