import type { ReplyCall } from "../../wire.ts";
import type { Fields } from "../fields.ts";
import { pieces } from "../pieces.ts";

/** An event of an item, without its output index. */
interface ItemEvent {
  readonly type: string;
  readonly fields: Fields;
}
/** An output item. */
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
export const textItem = (text: string, id: string): Item => messageItem(id, text, textPart);
export const refusalItem = (text: string, id: string): Item => messageItem(id, text, refusalPart);

export function callItem({ id, name, input }: ReplyCall): Item {
  const itemId = `fc_${id}`;
  const json = JSON.stringify(input);
  const about = { id: itemId, type: "function_call", call_id: id, name };
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
export const withoutDone = ({ added, events }: Item): Item => ({
  added,
  events: events.filter(({ type }) => !type.endsWith(".done")),
});
