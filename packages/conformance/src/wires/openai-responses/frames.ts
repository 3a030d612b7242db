import type { Frames, Reply, ReplyCall } from "../../wire.ts";
import { type Fields, pieces } from "../shared.ts";

/** An event of an item, without its output index. */
interface ItemEvent {
  readonly type: string;
  readonly fields: Fields;
}

export interface Item {
  /** In `response.output_item.added`. */
  readonly added: Fields;
  readonly events: readonly ItemEvent[];
  /** In `response.output_item.done` and in the final response. Not sent if absent. */
  readonly done?: Fields;
}

const eventOf = (type: string, fields: Fields): ItemEvent => ({ type: `response.${type}`, fields });

/** The fields of text and of a refusal. */
interface MessagePart {
  readonly name: "output_text" | "refusal";
  toPart(text: string): Fields;
  delta(text: string): Fields;
  done(text: string): Fields;
}

const textPart: MessagePart = {
  name: "output_text",
  toPart: (text) => ({ type: "output_text", annotations: [], logprobs: [], text }),
  delta: (delta) => ({ delta, logprobs: [] }),
  done: (text) => ({ text, logprobs: [] }),
};

const refusalPart: MessagePart = {
  name: "refusal",
  toPart: (refusal) => ({ type: "refusal", refusal }),
  delta: (delta) => ({ delta }),
  done: (refusal) => ({ refusal }),
};

/** https://developers.openai.com/api/reference/resources/responses/streaming-events */
function messageItem(id: string, text: string, part: MessagePart): Item {
  const about = { id, type: "message", role: "assistant" };
  const place = { item_id: id, content_index: 0 };
  return {
    added: { ...about, status: "in_progress", content: [] },
    events: [
      eventOf("content_part.added", { ...place, part: part.toPart("") }),
      ...pieces(text).map((piece) =>
        eventOf(`${part.name}.delta`, { ...place, ...part.delta(piece) }),
      ),
      eventOf(`${part.name}.done`, { ...place, ...part.done(text) }),
      eventOf("content_part.done", { ...place, part: part.toPart(text) }),
    ],
    done: { ...about, status: "completed", content: [part.toPart(text)] },
  };
}

const namespaceOf = ({ namespace }: ReplyCall): Fields =>
  namespace === undefined ? {} : { namespace };

/** A call of a tool whose input is text. */
function customCallItem(call: ReplyCall, input: string): Item {
  const { id, name } = call;
  const itemId = `ctc_${id}`;
  const about = { id: itemId, type: "custom_tool_call", call_id: id, name, ...namespaceOf(call) };
  return {
    added: { ...about, input: "", status: "in_progress" },
    events: [
      ...pieces(input).map((delta) =>
        eventOf("custom_tool_call_input.delta", { item_id: itemId, delta }),
      ),
      eventOf("custom_tool_call_input.done", { item_id: itemId, input }),
    ],
    done: { ...about, input, status: "completed" },
  };
}

function callItem(call: ReplyCall): Item {
  const { id, name, input, inputText } = call;
  if (inputText !== undefined) return customCallItem(call, inputText);
  const itemId = `fc_${id}`;
  const json = JSON.stringify(input);
  const about = { id: itemId, type: "function_call", call_id: id, name, ...namespaceOf(call) };
  return {
    added: { ...about, arguments: "", status: "in_progress" },
    events: [
      ...pieces(json).map((delta) =>
        eventOf("function_call_arguments.delta", { item_id: itemId, delta }),
      ),
      eventOf("function_call_arguments.done", { item_id: itemId, name, arguments: json }),
    ],
    done: { ...about, arguments: json, status: "completed" },
  };
}

/** The item without the events that say that it is complete. */
const withoutDone = ({ added, events }: Item): Item => ({
  added,
  events: events.filter(({ type }) => !type.endsWith(".done")),
});

const [completed, incomplete, failed] = ["completed", "incomplete", "failed"] as const;

/** The statuses that have an event. Another status comes in the event for a completed response. */
const eventStatuses: ReadonlySet<string> = new Set([completed, incomplete, failed]);

/** `status`, or `status:detail` if `incomplete_details`, an error or a refusal says more. */
const splitStop = (stop: string): readonly [status: string, detail: string | undefined] => {
  const at = stop.indexOf(":");
  return at < 0 ? [stop, undefined] : [stop.slice(0, at), stop.slice(at + 1)];
};

const errorMessages: Readonly<Record<string, string>> = {
  context_length_exceeded:
    "Your input exceeds the context window of this model. Please adjust your input and try again.",
};

const errorOf = (code = "server_error"): Fields => ({
  code,
  message:
    errorMessages[code] ?? "The server had an error processing your request. Sorry about that!",
});

/**
 * The response object. Of the settings that only repeat the request, those are there that a typed
 * client (OpenRouter's SDK) requires.
 */
const responseOf = (status: string, rest: Fields = {}): Fields => ({
  id: "resp_68a1b2",
  object: "response",
  created_at: 1795521600,
  completed_at: null,
  status,
  error: null,
  incomplete_details: null,
  instructions: null,
  metadata: {},
  model: "gpt-5.5-2026-09-03",
  output: [],
  parallel_tool_calls: true,
  frequency_penalty: 0,
  presence_penalty: 0,
  temperature: 1,
  top_p: 1,
  store: false,
  tool_choice: "auto",
  tools: [],
  usage: null,
  ...rest,
});

const responsesUsage = (output: number): Fields => ({
  input_tokens: 25,
  input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
  output_tokens: output,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 25 + output,
});

function finalResponse(output: readonly Fields[], reply: Reply): Fields {
  const [status, detail] = splitStop(reply.stop);
  return responseOf(status, {
    output,
    usage: status === failed ? null : responsesUsage(reply.output),
    ...(status === incomplete && {
      incomplete_details: detail === undefined ? null : { reason: detail },
    }),
    ...(status === failed && { error: errorOf(detail) }),
  });
}

const doneItems = (items: readonly Item[]): readonly Fields[] =>
  items.flatMap(({ done }) => (done === undefined ? [] : [done]));

const itemEvents = ({ added, events, done }: Item, index: number): readonly Fields[] => [
  { type: "response.output_item.added", output_index: index, item: added },
  ...events.map(({ type, fields }) => ({ type, output_index: index, ...fields })),
  ...(done === undefined
    ? []
    : [{ type: "response.output_item.done", output_index: index, item: done }]),
];

function responseFrames(items: readonly Item[], output: readonly Fields[], reply: Reply): Frames {
  const [status] = splitStop(reply.stop);
  const type = `response.${eventStatuses.has(status) ? status : completed}`;
  const events: readonly Fields[] = [
    { type: "response.created", response: responseOf("in_progress") },
    { type: "response.in_progress", response: responseOf("in_progress") },
    ...items.flatMap(itemEvents),
    { type, response: finalResponse(output, reply) },
  ];
  return {
    upToTerminal: events.map((event, sequence_number) =>
      JSON.stringify({ ...event, sequence_number }),
    ),
  };
}

/** The items of a reply. The text of a refused reply is a refusal. */
function itemsOf({ blocks, stop }: Reply): readonly Item[] {
  const refused = stop === `${completed}:refusal`;
  const items = blocks.map((block, index): Item => {
    if ("name" in block) return callItem(block);
    return messageItem(`msg_${index}`, block.text, refused ? refusalPart : textPart);
  });
  const hasText = blocks.some((block) => "text" in block);
  return refused && !hasText ? [...items, messageItem("msg_refusal", "", refusalPart)] : items;
}

export function responsesFrames(reply: Reply): Frames {
  const items = itemsOf(reply);
  return responseFrames(items, doneItems(items), reply);
}

/** The reply as a stream in which the last item is not done, and the final response is empty. */
export function responsesUnclosed(reply: Reply): Frames {
  const items = itemsOf(reply);
  const open = items.map((item, index) => (index === items.length - 1 ? withoutDone(item) : item));
  return responseFrames(open, [], reply);
}

export const responsesBody = (reply: Reply): string =>
  JSON.stringify(finalResponse(doneItems(itemsOf(reply)), reply));
