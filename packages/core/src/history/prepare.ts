import type { Adapter, CallIdRule, TurnRequest } from "../contract/adapter.ts";
import type {
  AssistantBlock,
  Message,
  NativeBlock,
  Origin,
  ToolCallBlock,
  ToolMessage,
} from "../contract/message.ts";
import { wholeCharacters, wholeEscapes } from "../json/unicode.ts";
import { createFold } from "./fold.ts";

/**
 * What every adapter needs of a request, done once: the cap that is sent, call ids as the target takes them,
 * whole characters, and nothing that only another origin understands (seals, native blocks, native tools).
 */
export function prepare(adapter: Adapter, request: TurnRequest): TurnRequest {
  const system = wholeCharacters(request.system);
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
    messages: localised(readHistory(request.messages, adapter)).slice(),
  };
}

/** A host that raises low caps counts up to a cap that nobody sent, so the cap is raised here. */
function capOf(
  { maxTokens: caps }: Adapter,
  { maxTokens = caps?.default }: TurnRequest,
): number | undefined {
  return maxTokens === undefined ? undefined : Math.max(maxTokens, caps?.floor ?? maxTokens);
}

type Target = Pick<Adapter, "provider" | "protocol" | "model" | "callIds">;

/** What was found of a history that is sent to a target. */
interface Past {
  readonly target: Target;
  /** Its messages in whole characters. */
  readonly whole: Message[];
  readonly pairs: Pairs;
  local: Localised;
}
/** Messages as the target takes them, as far as they were looked at. */
interface Localised {
  readonly ids: WireIds;
  readonly messages: Message[];
  looked: number;
  /** How many server calls had no pair then. */
  readonly unpaired: number;
}
const nothingLocal = (target: Target, unpaired: number): Localised => ({
  ids: createWireIds(target),
  messages: [],
  looked: 0,
  unpaired,
});

const readHistory = createFold<Past, Target>({
  begin: (target) => ({
    target,
    whole: [],
    pairs: { open: new Set(), unpaired: new Set(), asksForResults: false },
    local: nothingLocal(target, 0),
  }),
  add: ({ target, whole, pairs }, message) => {
    const mended = wholeCharacters(message);
    whole.push(mended);
    pair(mended, pairs, target);
  },
  holds: ({ target }, other) => isFrom(other, target) && sameRule(target.callIds, other.callIds),
});
const sameRule = (one: CallIdRule | undefined, other: CallIdRule | undefined): boolean =>
  one?.maxLength === other?.maxLength && String(one?.allowed) === String(other?.allowed);

/** Begins anew where a server call turns out to have no pair: it stands in a message that was looked at. */
function localised(past: Past): readonly Message[] {
  const { target, whole, pairs } = past;
  if (past.local.unpaired !== pairs.unpaired.size)
    past.local = nothingLocal(target, pairs.unpaired.size);
  const { local } = past;
  for (; local.looked < whole.length; local.looked++) {
    const message = localise(whole[local.looked] as Message, target, {
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

interface Known {
  readonly ids: WireIds;
  readonly unpaired: ReadonlySet<string>;
}
/** A message as it is where nothing of it changes: every turn sends the whole history again. */
function localise(message: Message, adapter: Target, known: Known): Message | undefined {
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
  { ids, unpaired }: Known,
): AssistantBlock | undefined {
  const known = local ? block : withoutSeal(block);
  if (
    known?.type === "native" &&
    [known.opens, known.closes].some((id) => id !== undefined && unpaired.has(id))
  )
    return undefined;
  return known?.type === "tool-call"
    ? withId(withWholeInput(known), ids.name(known, local))
    : known;
}
function withWholeInput(call: ToolCallBlock): ToolCallBlock {
  const inputText = call.kind === "text" ? call.inputText : wholeEscapes(call.inputText);
  return inputText === call.inputText ? call : { ...call, inputText };
}
const withId = <Part extends { readonly id: string }>(part: Part, id: string): Part =>
  part.id === id ? part : { ...part, id };

interface Pairs {
  /** Server calls without a result so far. */
  readonly open: Set<string>;
  /**
   * Server calls without a result that nobody will finish: their chain of calls and results has ended, another model took over,
   * or a person spoke while the turn was paused. And results without their call.
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

/** Keeps `open`, the server calls without a result so far. */
const strayResults = (natives: readonly NativeBlock[], open: Set<string>): readonly string[] =>
  natives.flatMap(({ opens, closes }) => {
    if (opens !== undefined) open.add(opens);
    return closes === undefined || open.delete(closes) ? [] : [closes];
  });

/** Does the chain of calls and results that a model is in the middle of go on with this message? */
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
  message.content.every(({ id }) => ids.of(id) === id)
    ? message
    : { role: "tool", content: message.content.map((result) => withId(result, ids.of(result.id))) };

/** A foreign block without what only its maker reads; thinking is such as a whole. */
function withoutSeal(block: AssistantBlock): AssistantBlock | undefined {
  if (block.type === "native" || block.type === "thinking") return undefined;
  const { providerData: _, ...plain } = block;
  return plain;
}

interface WireIds {
  name(block: ToolCallBlock, local: boolean): string;
  of(id: string): string;
}

/** The provider's own id goes back to its maker, ours is fitted to the target's rule; no two calls of a request share one. */
function createWireIds({ callIds }: Pick<Target, "callIds">): WireIds {
  const current = new Map<string, string>();
  const used = new Set<string>();
  return {
    name(block, local) {
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
    of: (id) => current.get(id) ?? fit(id, callIds, ""),
  };
}

/** Never a bare cut: two ids that differ stay different by a suffix made of the whole id. */
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

/** 53 bits in base 36 (cyrb53, public domain): tells ids apart, protects nothing. */
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
