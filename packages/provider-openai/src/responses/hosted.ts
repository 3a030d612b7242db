import { type InputKey, stringifyJson } from "@fullstop/core/adapter";
import type { CallSeal } from "./inputs.ts";
import { callId, type Item, type ItemOf, type ItemReader, isClosed, type Telling } from "./item.ts";
import { sameInput } from "./same.ts";

/** Items that ask the client to use a tool which the API defines. */
export type HostedType =
  | "apply_patch_call"
  | "computer_call"
  | "local_shell_call"
  | "mcp_approval_request"
  | "shell_call"
  | "tool_search_call";
interface Hosted<Type extends HostedType> {
  /** Under which such a call is given out. */
  readonly name: string;
  input(item: ItemOf<Type>): unknown;
}
type HostedTools = { readonly [Type in HostedType]: Hosted<Type> };

/** https://developers.openai.com/api/reference/resources/responses/create: the items of its output */
export const hostedTools: HostedTools = {
  apply_patch_call: { name: "apply_patch", input: ({ operation }) => operation },
  computer_call: {
    name: "computer",
    input: ({ action, actions, pending_safety_checks: checks }) => ({
      ...(action && { action }),
      ...(actions && { actions }),
      ...(checks && checks.length > 0 && { pending_safety_checks: checks }),
    }),
  },
  local_shell_call: { name: "local_shell", input: ({ action }) => action },
  mcp_approval_request: {
    name: "mcp_approval",
    input: ({ server_label, name, arguments: args }) => ({ server_label, name, arguments: args }),
  },
  shell_call: { name: "shell", input: ({ action }) => action },
  tool_search_call: { name: "tool_search", input: (item) => item.arguments },
};

/** What tells the call from others: an approval has an id of its own, a search may have no other. */
const idOf = (item: Item): string | undefined =>
  callId(item) ?? ("id" in item && item.id ? item.id : undefined);

/** A call of a tool that the API defines and the client runs: its item goes back as it came. */
export function readHosted(telling: Telling, key: InputKey, type: HostedType): ItemReader {
  const { name, input } = hostedTools[type] as Hosted<HostedType>;
  let begun = false;
  let closed = false;
  let said: string | undefined;
  const begin = (item: Item): void => {
    if (begun) return;
    begun = true;
    telling.say(reader, { type: "tool-input-start", key, id: idOf(item), name });
  };
  const close = (text: string, item: Item): void => {
    closed = true;
    const seal: CallSeal = { item };
    telling.say(reader, { type: "tool-input-end", key, text });
    telling.say(reader, { type: "provider-data", key, data: seal });
  };
  const reader: ItemReader = {
    begin,
    delta: () => undefined,
    end(item) {
      begin(item);
      const text = textOf(input(item as ItemOf<HostedType>), type);
      if (said !== undefined && !sameInput(said, text, undefined))
        telling.contradict(`it gives the call of "${name}" two different inputs`);
      const first = said === undefined;
      said = text;
      const whole = isClosed(item);
      if (whole && !closed) close(text, item);
      else if (closed && !whole)
        telling.contradict(`it takes back that the call of "${name}" is complete`);
      else if (first) telling.say(reader, { type: "tool-input-delta", key, text });
    },
    again: (item) => reader.end(item),
  };
  return reader;
}

/** Arguments that an item holds as text stay that text. */
function textOf(input: unknown, type: HostedType): string {
  const text: string | undefined = typeof input === "string" ? input : stringifyJson(input);
  if (text === undefined)
    throw new Error(`The reply holds a ${type} that does not say what to do.`);
  return text;
}
