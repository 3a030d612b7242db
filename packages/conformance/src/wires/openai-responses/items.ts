import { pieces } from "../pieces.ts";

type Fields = Readonly<Record<string, unknown>>;
/** An event of an item, before its place in the output is known. */
export interface ItemEvent {
  readonly type: string;
  readonly fields: Fields;
}
/** What the server says of one output item. */
export interface Item {
  /** In `response.output_item.added`; not sent where absent. */
  readonly added?: Fields | undefined;
  readonly events?: readonly ItemEvent[] | undefined;
  /** In `response.output_item.done`; not sent where absent. */
  readonly done?: Fields | undefined;
  /** In the `output` of the response that is whole; `done` unless told. */
  readonly final?: Fields | undefined;
}

const event = (type: string, fields: Fields): ItemEvent => ({ type: `response.${type}`, fields });

interface Part {
  readonly name: "output_text" | "refusal";
  readonly holds: (said: string) => Fields;
}
const textPart: Part = {
  name: "output_text",
  holds: (text) => ({ type: "output_text", annotations: [], logprobs: [], text }),
};
const refusalPart: Part = { name: "refusal", holds: (refusal) => ({ type: "refusal", refusal }) };

/** https://developers.openai.com/api/reference/resources/responses/streaming-events */
function message(id: string, said: string, { name, holds }: Part): Item {
  const about = { id, type: "message", role: "assistant" };
  const place = { item_id: id, content_index: 0 };
  const done = { ...about, status: "completed", content: [holds(said)] };
  const field = name === "refusal" ? { refusal: said } : { text: said, logprobs: [] };
  return {
    added: { ...about, status: "in_progress", content: [] },
    events: [
      event("content_part.added", { ...place, part: holds("") }),
      ...pieces(said).map((delta) =>
        event(`${name}.delta`, {
          ...place,
          delta,
          ...(name === "output_text" && { logprobs: [] }),
        }),
      ),
      event(`${name}.done`, { ...place, ...field }),
      event("content_part.done", { ...place, part: holds(said) }),
    ],
    done,
  };
}
export const text = (said: string, id = "msg_68a1"): Item => message(id, said, textPart);
export const refusal = (said: string, id = "msg_68a1"): Item => message(id, said, refusalPart);

interface Call {
  readonly id: string;
  readonly name: string;
  readonly written: string;
}
/** `rest` is said of the item in both its events: a status, a caller. */
export function functionCall(
  { id, name, written }: Call,
  rest: Fields = { status: "completed" },
): Item {
  const item = `fc_${id}`;
  const about = { id: item, type: "function_call", call_id: id, name };
  return {
    added: { ...about, arguments: "", ...("status" in rest && { status: "in_progress" }) },
    events: [
      ...pieces(written).map((delta) =>
        event("function_call_arguments.delta", { item_id: item, delta }),
      ),
      event("function_call_arguments.done", { item_id: item, name, arguments: written }),
    ],
    done: { ...about, arguments: written, ...rest },
  };
}
export function customCall({ id, name, written }: Call): Item {
  const item = `ctc_${id}`;
  const about = { id: item, type: "custom_tool_call", call_id: id, name };
  return {
    added: { ...about, input: "" },
    events: [
      ...pieces(written).map((delta) =>
        event("custom_tool_call_input.delta", { item_id: item, delta }),
      ),
      event("custom_tool_call_input.done", { item_id: item, input: written }),
    ],
    done: { ...about, input: written },
  };
}

export const reasoningItem = (id: string, said: string, encrypted: string | null): Fields => ({
  id,
  type: "reasoning",
  summary: said === "" ? [] : [{ type: "summary_text", text: said }],
  encrypted_content: encrypted,
});
/** `encrypted_content` of the first event may be incomplete, so it is another there. */
export function reasoning(id: string, said: string, encrypted: string | null): Item {
  const place = { item_id: id, summary_index: 0 };
  return {
    added: { ...reasoningItem(id, "", encrypted === null ? null : `${encrypted.slice(0, 2)}…`) },
    events:
      said === ""
        ? []
        : [
            event("reasoning_summary_part.added", {
              ...place,
              part: { type: "summary_text", text: "" },
            }),
            ...pieces(said).map((delta) =>
              event("reasoning_summary_text.delta", { ...place, delta }),
            ),
            event("reasoning_summary_text.done", { ...place, text: said }),
            event("reasoning_summary_part.done", {
              ...place,
              part: { type: "summary_text", text: said },
            }),
          ],
    done: reasoningItem(id, said, encrypted),
  };
}

/** The item without any event that says it is whole. */
export const undone = ({ added, events = [] }: Item): Item => ({
  added,
  events: events.filter(({ type }) => !type.endsWith(".done")),
});

/** An item that comes whole, between its two events. */
export const whole = (item: Fields): Item => ({
  added: { ...item, ...("status" in item && { status: "in_progress" }) },
  done: item,
});
