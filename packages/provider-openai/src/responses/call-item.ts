import { type InputKey, refuseOtherNames } from "@fullstop/core/adapter";
import { nonBlank } from "../values.ts";
import { createInputText } from "./input-text.ts";
import {
  type CallItem,
  type Item,
  type ItemReader,
  identityOf,
  inputMemberOf,
  isInputComplete,
  type ReplyWriter,
} from "./item.ts";

/** Besides its input. `item`: the complete item, for a tool that the API defines. */
export type CallData = Partial<Pick<CallItem, "id" | "namespace" | "caller" | "async">> & {
  readonly item?: Item;
};

export function createCallReader(
  writer: ReplyWriter,
  key: InputKey,
  type: CallItem["type"],
): ItemReader {
  const kind = type === "custom_tool_call" ? "text" : undefined;
  let call: CallItem | undefined;
  let closed: "without text" | "with text" | undefined;
  const header = createCallHeader(
    (id, name) => writer.emit(reader, { type: "tool-input-start", key, id, name, kind }),
    () => writer.addContradiction(`it gives ${header.label()} another name`),
  );
  const input = createInputText(kind, (problem) =>
    writer.addContradiction(`it gives ${header.label()} ${problem}`),
  );
  const close = (): void => {
    closed = input.hasText() ? "with text" : "without text";
    writer.emit(reader, { type: "tool-input-end", key, text: input.finalText() });
    const data = call && callData(call);
    if (data !== undefined) writer.emit(reader, { type: "provider-data", key, data });
  };
  const compare = (repeated: CallItem): void => {
    header.compare(repeated);
    if (closed === "without text" && !isEmptyInput(itemInput(repeated), kind))
      writer.addContradiction(`it gives ${header.label()} no input, and then one`);
    input.addComplete(itemInput(repeated));
    if (!isInputComplete(repeated))
      writer.addContradiction(`it takes back that ${header.label()} is complete`);
  };
  const reader: ItemReader = {
    start(item) {
      if (!closed) header.start(item as CallItem);
    },
    delta(text) {
      if (text === "") return;
      header.start();
      input.addDelta(text);
      writer.emit(reader, { type: "tool-input-delta", key, text });
    },
    unknownDelta: input.addUnknown,
    inputDone(text, name) {
      if (!closed) header.start({ name });
      input.addComplete(text);
    },
    hasInput: input.matches,
    done(item) {
      call = item as CallItem;
      if (closed) return compare(call);
      header.start(header.hasId() ? { name: call.name } : call);
      if (!isInputComplete(call) && !input.hasText()) reader.delta(itemInput(call), undefined);
      input.addComplete(itemInput(call));
      if (isInputComplete(call) && (input.hasText() || hasInput(call))) close();
    },
    content: () => ({ tool: header.name(), input: input.canonical() ?? (closed && "") }),
    contentOf: (item) => ({ tool: identityOf(item).tool, input: input.canonical(itemInput(item)) }),
    repeat: (item) => reader.done(item),
    settle() {
      if (closed || (call === undefined && !header.isStarted())) return;
      header.ensureIdentity(`item ${key}`);
      if (call === undefined ? input.hasComplete() : isInputComplete(call)) close();
    },
  };
  return reader;
}

type HeaderFields = { readonly [Field in "call_id" | "name"]?: string | undefined };

function createCallHeader(
  emitStart: (id: string | undefined, name: string | undefined) => void,
  onOtherName: () => void,
) {
  let known: { readonly id: string | undefined; readonly name: string | undefined } | undefined;
  /** Starts the call at the first time, and again if the id or the name is new. */
  const start = (fields: HeaderFields = {}): void => {
    const id = nonBlank(fields.call_id);
    const name = nonBlank(fields.name);
    if (known !== undefined && !isNews(known.id, id) && !isNews(known.name, name)) return;
    if (known?.name !== undefined && isNews(known.name, name)) onOtherName();
    known = { id: known?.id ?? id, name: known?.name ?? name };
    emitStart(id, name);
  };
  return {
    isStarted: (): boolean => known !== undefined,
    hasId: (): boolean => known?.id !== undefined,
    name: (): string | undefined => known?.name,
    start,
    /** Uses this id for a call that has neither an id nor a name. */
    ensureIdentity(id: string): void {
      if (known?.id === undefined && known?.name === undefined) start({ call_id: id });
    },
    /** Compares the name of an item that came again. */
    compare({ name }: HeaderFields): void {
      if (isNews(known?.name, nonBlank(name))) onOtherName();
    },
    label: (): string => `the call of "${known?.name ?? "a tool without a name"}"`,
  };
}

const isNews = (known: string | undefined, value: string | undefined): boolean =>
  value !== undefined && value !== known;

const isEmptyInput = (text: string, kind: "text" | undefined): boolean =>
  kind === "text" ? text === "" : /^(?:\{\s*\})?$/.test(text.trim());

/** If an item leaves its input out, the completed response may list it. */
const hasInput = (call: CallItem): boolean => typeof inputMemberOf(call) === "string";

function itemInput(item: Item): string {
  const call = item as CallItem;
  const text = inputMemberOf(call);
  if (!text)
    refuseOtherNames("tool input", item, [item.type === "function_call" ? "arguments" : "input"]);
  if (text === undefined || text === null) return "";
  if (typeof text !== "string")
    throw new Error(`The reply holds a ${call.type} whose input is not a text.`);
  return text;
}

function callData({ id, namespace, caller, async }: CallItem): CallData | undefined {
  const data = {
    ...(id && { id }),
    ...(namespace && { namespace }),
    ...(caller && { caller }),
    ...(async && { async }),
  };
  return Object.keys(data).length > 0 ? data : undefined;
}
