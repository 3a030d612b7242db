import type { InputKey } from "@fullstop/core";
import { type Call, type Item, type ItemReader, isClosed, type Telling } from "./item.ts";
import { createSaid } from "./said.ts";

/** What a call wants back beside its input. `item`: the whole of it, for one of a tool that the provider defines. */
export type CallSeal = Partial<Pick<Call, "id" | "namespace" | "caller" | "async">> & { readonly item?: Item };

type Named = { readonly [Field in "call_id" | "name"]?: string | undefined };

export function readCall(telling: Telling, key: InputKey, type: Call["type"]): ItemReader {
  const kind = type === "custom_tool_call" ? "text" : undefined;
  let told: { id: string | undefined; name: string | undefined } | undefined;
  let call: Call | undefined;
  let closed = false;
  const about = (): string => `the call of "${told?.name ?? "a tool without a name"}"`;
  const said = createSaid(kind, () => telling.contradict(`it gives ${about()} two different inputs`));
  const start = ({ call_id: id, name }: Named = {}): void => {
    if (told !== undefined && !isNews(told.id, id) && !isNews(told.name, name)) return;
    told = { id: told?.id ?? id, name: told?.name ?? name };
    telling.say(reader, { type: "tool-input-start", key, id, name, kind });
  };
  const close = (): void => {
    closed = true;
    telling.say(reader, { type: "tool-input-end", key, text: said.final() });
    const seal = call && callSeal(call);
    if (seal !== undefined) telling.say(reader, { type: "seal", key, data: seal });
  };
  const reader: ItemReader = {
    begin: (item) => {
      if (!closed) start(item as Call);
    },
    delta(text) {
      if (text === "") return;
      start();
      said.piece(text);
      telling.say(reader, { type: "tool-input", key, text });
    },
    text(whole, name) {
      if (!closed) start({ name });
      said.whole(whole);
    },
    says: (whole) => said.says(whole),
    end(item) {
      call = item as Call;
      if (!closed) start(call);
      else if (isNews(told?.name, call.name)) telling.contradict(`it gives ${about()} another name`);
      said.whole(inputOf(call));
      const whole = isClosed(call);
      if (whole && !closed) close();
      else if (closed && !whole) telling.contradict(`it takes back that ${about()} is complete`);
    },
    again: (item) => reader.end(item),
    settle() {
      if (call === undefined && said.isSaid()) close();
    },
  };
  return reader;
}

/** Says something that was not known, or something else. */
const isNews = (known: string | undefined, said: string | undefined): boolean => said !== undefined && said !== "" && said !== known;

function inputOf(call: Call): string {
  const text: unknown = call.type === "function_call" ? call.arguments : call.input;
  if (text === undefined || text === null) return "";
  if (typeof text !== "string") throw new Error(`The reply holds a ${call.type} whose input is no text.`);
  return text;
}

function callSeal({ id, namespace, caller, async }: Call): CallSeal | undefined {
  const seal = { ...(id && { id }), ...(namespace && { namespace }), ...(caller && { caller }), ...(async && { async }) };
  return Object.keys(seal).length > 0 ? seal : undefined;
}
