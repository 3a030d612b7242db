import type { InputKey } from "@fullstop/core/adapter";
import { type Call, type Item, type ItemReader, isClosed, type Telling } from "./item.ts";
import { createSaid } from "./said.ts";

/** What a call wants back beside its input. `item`: the whole of it, for one of a tool that the provider defines. */
export type CallSeal = Partial<Pick<Call, "id" | "namespace" | "caller" | "async">> & {
  readonly item?: Item;
};

type Named = { readonly [Field in "call_id" | "name"]?: string | undefined };

export function readCall(telling: Telling, key: InputKey, type: Call["type"]): ItemReader {
  const kind = type === "custom_tool_call" ? "text" : undefined;
  let told: { id: string | undefined; name: string | undefined } | undefined;
  let call: Call | undefined;
  let closed = false;
  /** It was closed before any text of it came. */
  let closedEmpty = false;
  const about = (): string => `the call of "${told?.name ?? "a tool without a name"}"`;
  const said = createSaid(kind, () =>
    telling.contradict(`it gives ${about()} two different inputs`),
  );
  const start = (named: Named = {}): void => {
    const id = nonBlank(named.call_id);
    const name = nonBlank(named.name);
    if (told !== undefined && !isNews(told.id, id) && !isNews(told.name, name)) return;
    if (told?.name !== undefined && isNews(told.name, name))
      telling.contradict(`it gives ${about()} another name`);
    told = { id: told?.id ?? id, name: told?.name ?? name };
    telling.say(reader, { type: "tool-input-start", key, id, name, kind });
  };
  const close = (): void => {
    closed = true;
    closedEmpty = !said.hasText();
    telling.say(reader, { type: "tool-input-end", key, text: said.final() });
    const seal = call && callSeal(call);
    if (seal !== undefined) telling.say(reader, { type: "provider-data", key, data: seal });
  };
  const compareAgain = (again: Call): void => {
    if (isNews(told?.name, nonBlank(again.name)))
      telling.contradict(`it gives ${about()} another name`);
    if (closedEmpty && !isEmptyInput(inputOf(again)))
      telling.contradict(`it gives ${about()} no input, and then one`);
    said.whole(inputOf(again));
    if (!isClosed(again)) telling.contradict(`it takes back that ${about()} is complete`);
  };
  const reader: ItemReader = {
    begin: (item) => {
      if (!closed) start(item as Call);
    },
    delta(text) {
      if (text === "") return;
      start();
      said.piece(text);
      telling.say(reader, { type: "tool-input-delta", key, text });
    },
    text(whole, name) {
      if (!closed) start({ name });
      said.whole(whole);
    },
    says: (whole) => said.says(whole),
    end(item) {
      call = item as Call;
      if (closed) return compareAgain(call);
      start(call);
      said.whole(inputOf(call));
      if (isClosed(call)) close();
    },
    again: (item) => reader.end(item),
    settle() {
      if (call !== undefined || told === undefined) return;
      if (told.id === undefined && told.name === undefined) start({ call_id: `item ${key}` });
      if (said.isSaid()) close();
    },
  };
  return reader;
}

/** Says something that was not known, or something else. */
const isNews = (known: string | undefined, said: string | undefined): boolean =>
  said !== undefined && said !== known;

const nonBlank = (text: unknown): string | undefined =>
  typeof text === "string" && text.trim() !== "" ? text : undefined;

const isEmptyInput = (text: string): boolean => /^\s*(?:\{\s*\})?\s*$/.test(text);

function inputOf(call: Call): string {
  const text: unknown = call.type === "function_call" ? call.arguments : call.input;
  if (text === undefined || text === null) return "";
  if (typeof text !== "string")
    throw new Error(`The reply holds a ${call.type} whose input is no text.`);
  return text;
}

function callSeal({ id, namespace, caller, async }: Call): CallSeal | undefined {
  const seal = {
    ...(id && { id }),
    ...(namespace && { namespace }),
    ...(caller && { caller }),
    ...(async && { async }),
  };
  return Object.keys(seal).length > 0 ? seal : undefined;
}
