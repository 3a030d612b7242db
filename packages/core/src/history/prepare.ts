import type { Adapter, CallIdRule, TurnRequest } from "../contract/adapter.ts";
import type {
  AssistantBlock,
  Message,
  NativeBlock,
  Origin,
  ToolCallBlock,
  ToolMessage,
} from "../contract/message.ts";
import { toWellFormed, toWellFormedEscapes } from "../json/unicode.ts";
import { createFold } from "./fold.ts";

/**
 * Prepares a request for an adapter: the cap that is sent, call ids that the provider accepts,
 * well-formed text, and nothing that only another provider understands (provider data, native
 * blocks, native tools).
 */
export function prepare(adapter: Adapter, request: TurnRequest): TurnRequest {
  const system = toWellFormed(request.system);
  const tools = request.tools?.filter(
    (tool) => !("provider" in tool) || tool.provider === adapter.provider,
  );
  const dropped =
    request.tools?.filter((tool) => !tools?.includes(tool)).map(({ name }) => name) ?? [];
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
 * Some hosts raise a low cap and then count up to the raised one. Raising it here lets the gate
 * know the cap.
 */
function capOf(
  { maxTokens: caps }: Adapter,
  { maxTokens = caps?.default }: TurnRequest,
): number | undefined {
  return maxTokens === undefined ? undefined : Math.max(maxTokens, caps?.floor ?? maxTokens);
}

type Target = Pick<Adapter, "provider" | "protocol" | "model" | "callIds">;

/** What is known about a history that is sent to one target. */
interface PreparedHistory {
  readonly target: Target;
  /** Its messages with well-formed text. */
  readonly wellFormed: Message[];
  readonly pairs: Pairs;
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

const readHistory = createFold<PreparedHistory, Target>({
  begin: (target) => ({
    target,
    wellFormed: [],
    pairs: { open: new Set(), unpaired: new Set(), asksForResults: false },
    local: emptyHistory(target, 0),
  }),
  add: ({ target, wellFormed, pairs }, message) => {
    const adapted = toWellFormed(message);
    wellFormed.push(adapted);
    pair(adapted, pairs, target);
  },
  holds: ({ target }, other) => isFrom(other, target) && sameRule(target.callIds, other.callIds),
});
const sameRule = (one: CallIdRule | undefined, other: CallIdRule | undefined): boolean =>
  one?.maxLength === other?.maxLength && String(one?.allowed) === String(other?.allowed);

/**
 * Starts anew if a server call turns out to be unpaired: it is in a message that was already read.
 */
function adaptHistory(past: PreparedHistory): readonly Message[] {
  const { target, wellFormed, pairs } = past;
  if (past.local.unpaired !== pairs.unpaired.size)
    past.local = emptyHistory(target, pairs.unpaired.size);
  const { local } = past;
  for (; local.looked < wellFormed.length; local.looked++) {
    const message = adaptMessage(wellFormed[local.looked] as Message, target, {
      ids: local.ids,
      unpaired: pairs.unpaired,
    });
    if (message !== undefined) local.messages.push(message);
  }
  return local.messages;
}

const isFrom = (target: Origin, from: Origin | undefined): boolean =>
  from?.provider === target.provider &&
  from.protocol === target.protocol &&
  from.model === target.model;

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

interface Pairs {
  /** Server calls without a result so far. */
  readonly open: Set<string>;
  /**
   * Server calls without a result that no reply will finish: their chain of calls and results has
   * ended, another model took over, or a person wrote while the turn was paused. Also results
   * without their call.
   */
  readonly unpaired: Set<string>;
  asksForResults: boolean;
}
function pair(message: Message, pairs: Pairs, target: Target): void {
  const { open, unpaired } = pairs;
  for (const id of strayResults(nativesOf(message, target), open)) unpaired.add(id);
  if (message.role === "assistant")
    pairs.asksForResults = message.content.some(({ type }) => type === "tool-call");
  if (goesOn(message, target, pairs.asksForResults)) return;
  for (const id of open) unpaired.add(id);
  open.clear();
}

/** Updates `open`, the server calls without a result so far. */
const strayResults = (natives: readonly NativeBlock[], open: Set<string>): readonly string[] =>
  natives.flatMap(({ opens, closes }) => {
    if (opens !== undefined) open.add(opens);
    return closes === undefined || open.delete(closes) ? [] : [closes];
  });

/** Whether the message continues the chain of calls and results that the model is in. */
function goesOn(message: Message, adapter: Target, asksForResults: boolean): boolean {
  if (message.role === "tool") return true;
  if (message.role === "user") return asksForResults;
  return isFrom(adapter, message.from) && (asksForResults || message.stopReason === "pause");
}

const nativesOf = (message: Message, adapter: Target): readonly NativeBlock[] =>
  message.role === "assistant" && isFrom(adapter, message.from)
    ? message.content.filter((block) => block.type === "native")
    : [];

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

interface WireIds {
  assign(block: ToolCallBlock, local: boolean): string;
  lookup(id: string): string;
}

/**
 * The provider gets its own ids back. Other ids are fitted to its rule. No two calls of a request
 * share one.
 */
function createWireIds({ callIds }: Pick<Target, "callIds">): WireIds {
  const current = new Map<string, string>();
  const used = new Set<string>();
  return {
    assign(block, local) {
      const native =
        local && block.nativeId !== undefined && !used.has(block.nativeId)
          ? block.nativeId
          : undefined;
      let id = native ?? fit(block.id, callIds, "");
      for (let again = 1; used.has(id); again++) id = fit(block.id, callIds, `#${again}`);
      used.add(id);
      current.set(block.id, id);
      return id;
    },
    lookup: (id) => current.get(id) ?? fit(id, callIds, ""),
  };
}

/** A shortened id gets a suffix made from the whole id: two different ids stay different. */
function fit(id: string, rule: CallIdRule | undefined, salt: string): string {
  const { maxLength = Number.POSITIVE_INFINITY, allowed = /^/ } = rule ?? {};
  const fits = (text: string): boolean => text.length <= maxLength && text.search(allowed) >= 0;
  if (salt === "" && fits(id)) return id;
  const digest = hash(id + salt);
  const suffix = digest.slice(0, Math.min(8, maxLength));
  const clean = [...id].filter((char) => fits(char) || /[a-zA-Z0-9]/.test(char)).join("");
  const fitted = `${clean.slice(0, maxLength - suffix.length)}${suffix}`;
  return fits(fitted) ? fitted : `${digest}${hash(digest)}`.slice(0, maxLength);
}

/** 53 bits in base 36 (cyrb53, public domain). Distinguishes ids; it is not for security. */
function hash(text: string): string {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    high = Math.imul(high ^ code, 2654435761);
    low = Math.imul(low ^ code, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return (4294967296 * (2097151 & low) + (high >>> 0)).toString(36).padStart(11, "0");
}
