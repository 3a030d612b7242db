import type { InputKey } from "@fullstop/core";
import { type Call, callId, type Item, type ItemReader, isCompleted, type Telling } from "./item.ts";

/** What a call wants back beside its input. */
export type CallSeal = Partial<Pick<Call, "id" | "namespace" | "caller" | "async">>;

export function readCall(telling: Telling, key: InputKey, type: Call["type"]): ItemReader {
  const kind = type === "custom_tool_call" ? "text" : undefined;
  let begun = false;
  let said: string | undefined;
  const start = (call?: Call): void => {
    begun = true;
    telling.say(reader, { type: "tool-input-start", key, id: call?.call_id, name: call?.name, kind });
  };
  const reader: ItemReader = {
    begin: (item) => start(item as Call),
    delta(text) {
      if (text === "") return;
      if (!begun) start();
      telling.say(reader, { type: "tool-input", key, text });
    },
    text: (whole) => {
      said = whole;
    },
    end(item) {
      const call = item as Call;
      start(call);
      if (!isCompleted(call)) return;
      telling.say(reader, { type: "tool-input-end", key, text: inputOf(call) || said || undefined });
      const seal = callSeal(call);
      if (seal !== undefined) telling.say(reader, { type: "seal", key, data: seal });
    },
  };
  return reader;
}

/** Blank where pieces may have said it: a final text without a character takes nothing back. */
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

/** Asks the client to act in a way that no call says: an input that never ends, so that it is withheld and named. */
export function readRequest(telling: Telling, key: InputKey, type: string): ItemReader {
  let begun = false;
  const begin = (item: Item): void => {
    if (begun) return;
    begun = true;
    const id = callId(item) ?? ("id" in item && item.id ? item.id : String(key));
    telling.say(reader, { type: "tool-input-start", key, id, name: type });
    telling.wait(id, type);
  };
  const reader: ItemReader = {
    begin,
    delta: () => undefined,
    end(item) {
      begin(item);
      telling.say(reader, { type: "tool-input", key, text: JSON.stringify(item) });
    },
  };
  return reader;
}
