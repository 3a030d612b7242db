import { type Fields, fieldsOf, isFields } from "@fullstop/core/adapter";
import type { Edit, GrantedCall } from "../protocol.ts";

export interface NewItem {
  readonly item: Fields;
  readonly parts: readonly Fields[];
  readonly start: Fields;
}

export const newItems = ({ calls, note }: Edit): readonly NewItem[] => [
  ...(note === undefined ? [] : [newMessage(note)]),
  ...calls.map(newCall),
];

const newId = (prefix: string): string => `${prefix}_${crypto.randomUUID().replaceAll("-", "")}`;
const unfinished = "in_progress";

function newMessage(text: string): NewItem {
  const id = newId("msg");
  const at = { item_id: id, content_index: 0 };
  const part = { type: "output_text", annotations: [], logprobs: [], text };
  const message = { id, type: "message", role: "assistant" };
  return {
    item: { ...message, status: "completed", content: [part] },
    start: { ...message, status: unfinished, content: [] },
    parts: [
      { type: "response.content_part.added", ...at, part: { ...part, text: "" } },
      { type: "response.output_text.delta", ...at, delta: text, logprobs: [] },
      { type: "response.output_text.done", ...at, text, logprobs: [] },
      { type: "response.content_part.done", ...at, part },
    ],
  };
}

function newCall(call: GrantedCall): NewItem {
  const { item, ...data } = fieldsOf(call.providerData);
  if (isFields(item)) return hostedCall(call, item);
  return call.kind === "text" ? customCall(call, data) : functionCall(call, data);
}

/** A call of a tool that the API defines goes out as its item came. */
function hostedCall({ id }: GrantedCall, item: Fields): NewItem {
  const own = typeof item["call_id"] === "string" ? { ...item, call_id: id } : item;
  return { item: own, start: own, parts: [] };
}

function functionCall({ id: call_id, name, inputText }: GrantedCall, data: Fields): NewItem {
  const text = inputText.trim() === "" ? "{}" : inputText;
  const item = { id: newId("fc"), type: "function_call", ...data, call_id, name };
  return {
    item: { ...item, arguments: text, status: "completed" },
    start: { ...item, arguments: "", status: unfinished },
    parts: [
      { type: "response.function_call_arguments.delta", item_id: item.id, delta: text },
      { type: "response.function_call_arguments.done", item_id: item.id, name, arguments: text },
    ],
  };
}

function customCall({ id: call_id, name, inputText }: GrantedCall, data: Fields): NewItem {
  const item = { id: newId("ctc"), type: "custom_tool_call", ...data, call_id, name };
  return {
    item: { ...item, input: inputText, status: "completed" },
    start: { ...item, input: "", status: unfinished },
    parts: [
      { type: "response.custom_tool_call_input.delta", item_id: item.id, delta: inputText },
      { type: "response.custom_tool_call_input.done", item_id: item.id, input: inputText },
    ],
  };
}
