import { type InputKey, stringifyJson } from "@fullstop/core/adapter";
import { type HostedTool, type HostedToolType, hostedTools } from "../hosted-tools.ts";
import type { CallData } from "./call-item.ts";
import { isSameInput } from "./equal-inputs.ts";
import {
  callIdOf,
  type Item,
  type ItemOf,
  type ItemReader,
  isInputComplete,
  itemIdOf,
} from "./item.ts";
import type { ReplyWriter } from "./reply-writer.ts";

/**
 * Reads a call of a tool that the API defines and the client runs. Its item goes back unchanged.
 */
export function createHostedToolReader(
  writer: ReplyWriter,
  key: InputKey,
  type: HostedToolType,
): ItemReader {
  const { name, asks, input } = hostedTools[type] as HostedTool<HostedToolType>;
  let started = false;
  let closed = false;
  let known: string | undefined;
  const start = (item: Item): void => {
    if (started) return;
    started = true;
    writer.emit(reader, { type: "tool-input-start", key, id: hostedCallId(item), name, asks });
  };
  const close = (text: string, item: Item): void => {
    closed = true;
    writer.emit(reader, { type: "tool-input-end", key, text });
    writer.emit(reader, { type: "provider-data", key, data: { item } satisfies CallData });
  };
  const reader: ItemReader = {
    start,
    delta: () => undefined,
    done(item) {
      start(item);
      const text = hostedInputText(input(item as ItemOf<HostedToolType>), type);
      if (known !== undefined && !isSameInput(known, text, undefined))
        writer.addContradiction(`it gives the call of "${name}" two different inputs`);
      const isFirst = known === undefined;
      known = text;
      const isComplete = isInputComplete(item);
      if (isComplete && !closed) close(text, item);
      else if (closed && !isComplete)
        writer.addContradiction(`it takes back that the call of "${name}" is complete`);
      else if (isFirst) writer.emit(reader, { type: "tool-input-delta", key, text });
    },
    isSameCall: (item) =>
      known === undefined ||
      isSameInput(known, hostedInputText(input(item as ItemOf<HostedToolType>), type), undefined),
    repeat: (item) => reader.done(item),
  };
  return reader;
}

/** An approval request has only an id of its own. A tool search may have no `call_id`. */
const hostedCallId = (item: Item): string | undefined => callIdOf(item) ?? itemIdOf(item);

/** An input that is already a text stays as it is. */
function hostedInputText(input: unknown, type: HostedToolType): string {
  const text: string | undefined = typeof input === "string" ? input : stringifyJson(input);
  if (text === undefined) throw new Error(`The reply holds a ${type} without an input.`);
  return text;
}
