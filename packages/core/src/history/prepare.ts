import type { Adapter, CallIdRule, TurnRequest } from "../contract/adapter.ts";
import type { AssistantBlock, Message, ToolCallBlock, ToolMessage } from "../contract/message.ts";
import { toWellFormed, toWellFormedEscapes } from "../json/unicode.ts";
import { createWireIds, type WireIds } from "./call-ids.ts";
import { createFold } from "./fold.ts";
import { isFrom, type ServerCalls, trackServerCalls } from "./server-calls.ts";

/**
 * Prepares a request for an adapter: the cap that is sent, call ids that the provider accepts,
 * well-formed text, and nothing that only another provider understands (provider data, native
 * blocks, native tools).
 */
export function prepare(adapter: Adapter, request: TurnRequest): TurnRequest {
  const system = toWellFormed(request.system);
  const tools = toWellFormed(
    request.tools?.filter((tool) => !("provider" in tool) || tool.provider === adapter.provider),
  );
  const dropped =
    request.tools
      ?.filter((tool) => "provider" in tool && tool.provider !== adapter.provider)
      .map(({ name }) => name) ?? [];
  const { toolChoice } = request;
  const unknown = typeof toolChoice === "object" && dropped.includes(toolChoice.name);
  const maxTokens = capOf(adapter, request);
  return {
    ...request,
    ...(tools && { tools }),
    ...(unknown && { toolChoice: "auto" as const }),
    ...(maxTokens !== undefined && { maxTokens }),
    ...(system !== undefined && { system }),
    messages: adaptHistory(readHistory(request.messages, adapter)).slice(),
  };
}

/**
 * The output cap that an adapter sends for a request, in tokens. Some hosts raise a low cap and then
 * count up to the raised one. Raising it before lets the gate know the cap.
 */
export function capOf(
  { maxTokens: caps }: Pick<Adapter, "maxTokens">,
  { maxTokens = caps?.default }: Pick<TurnRequest, "maxTokens">,
): number | undefined {
  return maxTokens === undefined ? undefined : Math.max(maxTokens, caps?.floor ?? maxTokens);
}

type Target = Pick<Adapter, "provider" | "protocol" | "model" | "callIds">;

interface PreparedHistory {
  readonly target: Target;
  readonly wellFormed: Message[];
  readonly serverCalls: ServerCalls;
  local: AdaptedHistory;
}
/** The messages as the target accepts them, as far as they were read. */
interface AdaptedHistory {
  readonly ids: WireIds;
  readonly messages: Message[];
  looked: number;
  /** The number of unpaired server calls at that time. */
  readonly unpaired: number;
}
const emptyHistory = (target: Target, unpaired: number): AdaptedHistory => ({
  ids: createWireIds(target),
  messages: [],
  looked: 0,
  unpaired,
});

const readHistory = /* @__PURE__ */ createFold<PreparedHistory, Target>({
  begin: (target) => ({
    target,
    wellFormed: [],
    serverCalls: { open: new Set(), unpaired: new Set(), asksForResults: false },
    local: emptyHistory(target, 0),
  }),
  add: ({ target, wellFormed, serverCalls }, message) => {
    const adapted = toWellFormed(message);
    wellFormed.push(adapted);
    trackServerCalls(adapted, serverCalls, target);
  },
  holds: ({ target }, other) => isFrom(other, target) && sameRule(target.callIds, other.callIds),
});
const sameRule = (one: CallIdRule | undefined, other: CallIdRule | undefined): boolean =>
  one?.maxLength === other?.maxLength && String(one?.allowed) === String(other?.allowed);

/** Starts anew if a server call turns out to be unpaired: its message was already read. */
function adaptHistory(past: PreparedHistory): readonly Message[] {
  const { target, wellFormed, serverCalls } = past;
  if (past.local.unpaired !== serverCalls.unpaired.size)
    past.local = emptyHistory(target, serverCalls.unpaired.size);
  const { local } = past;
  for (; local.looked < wellFormed.length; local.looked++) {
    const message = adaptMessage(wellFormed[local.looked] as Message, target, {
      ids: local.ids,
      unpaired: serverCalls.unpaired,
    });
    if (message !== undefined) local.messages.push(message);
  }
  return local.messages;
}

interface HistoryIds {
  readonly ids: WireIds;
  readonly unpaired: ReadonlySet<string>;
}
/** Returns the same message if nothing changes: every turn sends the whole history again. */
function adaptMessage(message: Message, adapter: Target, known: HistoryIds): Message | undefined {
  if (message.role === "user") return message;
  if (message.role === "tool") return answers(message, known.ids);
  const local = isFrom(adapter, message.from);
  const blocks = message.content.map((block) => localBlock(block, local, known));
  if (local && blocks.length > 0 && blocks.every((block, at) => block === message.content[at]))
    return message;
  const content = blocks.filter((block) => block !== undefined);
  if (content.length === 0) return undefined;
  const { resume, ...rest } = message;
  return { ...rest, content, ...(local && resume !== undefined && { resume }) };
}

function localBlock(
  block: AssistantBlock,
  local: boolean,
  { ids, unpaired }: HistoryIds,
): AssistantBlock | undefined {
  const known = local ? block : withoutProviderData(block);
  if (
    known?.type === "native" &&
    [known.opens, known.closes].some((id) => id !== undefined && unpaired.has(id))
  )
    return undefined;
  return known?.type === "tool-call"
    ? withId(withWellFormedInput(known), ids.assign(known, local))
    : known;
}
function withWellFormedInput(call: ToolCallBlock): ToolCallBlock {
  const inputText = call.kind === "text" ? call.inputText : toWellFormedEscapes(call.inputText);
  return inputText === call.inputText ? call : { ...call, inputText };
}
const withId = <Part extends { readonly id: string }>(part: Part, id: string): Part =>
  part.id === id ? part : { ...part, id };

const answers = (message: ToolMessage, ids: WireIds): ToolMessage =>
  message.content.every(({ id }) => ids.lookup(id) === id)
    ? message
    : {
        role: "tool",
        content: message.content.map((result) => withId(result, ids.lookup(result.id))),
      };

/** Removes what only the block's own provider reads. Thinking is removed completely. */
function withoutProviderData(block: AssistantBlock): AssistantBlock | undefined {
  if (block.type === "native" || block.type === "thinking") return undefined;
  const { providerData: _, ...plain } = block;
  return plain;
}
