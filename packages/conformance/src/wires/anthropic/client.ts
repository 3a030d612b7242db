import type { ClientReading, WireClient } from "../../client.ts";
import { createReading, type GrowingReading } from "../../client.ts";
import { isObject } from "../../harness/json.ts";
import { type Fields, fieldsOf, objectsIn } from "../shared.ts";

type ReadMessage = ReturnType<typeof beginMessage>;
const beginMessage = () => ({
  reading: createReading(),
  /** The blocks that began, by their indices. */
  blocks: new Map<unknown, { readonly type: unknown; readonly call?: MessageCall }>(),
  open: new Set<unknown>(),
  begun: false,
});
type MessageCall = GrowingReading["calls"][number];

const addCall = ({ reading }: ReadMessage, { name, input }: Fields): MessageCall => {
  const isEmpty = isObject(input) && Object.keys(input).length === 0;
  const start = input === undefined || isEmpty ? "" : JSON.stringify(input);
  const call = { name: String(name ?? ""), input: start };
  reading.calls.push(call);
  return call;
};

function startBlock(message: ReadMessage, { index, content_block: start }: Fields): void {
  const { reading, blocks, open } = message;
  const block = fieldsOf(start);
  const { type } = block;
  if (index !== blocks.size) reading.flaws.push(`Block ${index} begins as number ${blocks.size}.`);
  if (type === "tool_use") reading.callParts.push("content_block_start");
  blocks.set(index, { type, ...(type === "tool_use" && { call: addCall(message, block) }) });
  open.add(index);
}

function addDelta({ reading, blocks, open }: ReadMessage, event: Fields): void {
  const { index } = event;
  const { type, partial_json: piece } = fieldsOf(event["delta"]);
  const block = blocks.get(index);
  if (!open.has(index)) reading.flaws.push(`Block ${index} has a delta and is not open.`);
  // The tools of the server have inputs, too.
  const isServers = block !== undefined && block.call === undefined;
  if (type !== "input_json_delta" || isServers) return;
  reading.callParts.push("content_block_delta");
  if (block?.call !== undefined) block.call.input += String(piece ?? "");
}

/** Some clients take each end of a block for that of a call (BerriAI/litellm#37273). */
function stopBlock({ reading, blocks, open }: ReadMessage, { index }: Fields): void {
  if (open.delete(index)) return;
  reading.flaws.push(`Block ${index} ends and is not open.`);
  const call = blocks.get(index)?.call;
  if (call === undefined) return;
  reading.callParts.push("content_block_stop");
  reading.calls.push({ ...call });
}

/** What the client does at each event. It ignores all others. */
const handlers: Readonly<Record<string, (message: ReadMessage, event: Fields) => void>> = {
  message_start: (message) => {
    if (message.begun) message.reading.flaws.push("The message begins twice.");
    message.begun = true;
  },
  content_block_start: startBlock,
  content_block_delta: addDelta,
  content_block_stop: stopBlock,
  message_delta: ({ reading, open }, { delta }) => {
    for (const index of open) reading.flaws.push(`Block ${index} is open at the end.`);
    const { stop_reason: stop } = fieldsOf(delta);
    if (typeof stop === "string") reading.stop = stop;
  },
  message_stop: ({ reading }) => {
    // The AI SDK runs the calls of a message at each of its ends.
    if (reading.ended) reading.calls.push(...reading.calls.map((call) => ({ ...call })));
    if (reading.stop === undefined) reading.flaws.push("The message ends without a stop reason.");
    reading.ended = true;
  },
  error: ({ reading }) => {
    reading.failed = true;
  },
};

function readMessageEvents(events: readonly unknown[]): ClientReading {
  const message = beginMessage();
  for (const event of events.map(fieldsOf)) {
    const type = String(event["type"]);
    const isContent = type in handlers && type !== "message_start" && type !== "error";
    if (isContent && !message.begun) message.reading.flaws.push(`${type} before message_start.`);
    if (isContent && message.reading.ended)
      message.reading.flaws.push(`${type} after message_stop.`);
    handlers[type]?.(message, event);
  }
  return message.reading;
}

function readMessageBody(body: unknown): ClientReading {
  const { type, content, stop_reason: stop } = fieldsOf(body);
  const calls = objectsIn(content).filter((block) => block["type"] === "tool_use");
  return {
    callParts: calls.map(() => "content"),
    calls: calls.map(({ name, input }) => ({
      name: String(name ?? ""),
      input: JSON.stringify(input ?? {}),
    })),
    ...(typeof stop === "string" && { stop }),
    failed: type === "error",
    ended: type === "message",
    flaws: [],
  };
}

export const anthropicClient: WireClient = {
  readStream: readMessageEvents,
  readBody: readMessageBody,
};
