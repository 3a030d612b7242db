import type { Adapter, TurnRequest } from "./adapter.ts";
import { openServerCalls, textOf } from "./blocks.ts";
import { createIds, distinctInputs, type ParsedInput, parseInput } from "./calls.ts";
import { errorRules, failedKinds, isFailed, ProviderError } from "./error.ts";
import type { Preview } from "./event.ts";
import { sentence, whyWords } from "./explain.ts";
import { type Input, inputText } from "./inputs.ts";
import type { AssistantMessage, ToolCallBlock } from "./message.ts";
import { replaySafe } from "./replay.ts";
import { type Failure, judge } from "./rules.ts";
import { createSeen, receive, type Seen, takeThrown, takeUnreadable } from "./seen.ts";
import { type FailedStop, type StopReason, stopRules, worse } from "./stop.ts";
import type { ToolCall, Turn, WithheldCall } from "./turn.ts";

/** What was sent, as far as the gate compares with it. */
export type SentRequest = Partial<Pick<TurnRequest, "maxTokens" | "messages" | "tools">>;
/** What may stop a reply, and who watches it. */
export interface GateOptions {
  readonly signal?: AbortSignal | undefined;
  /** Watches the reply while it arrives, in step with it. What it throws, `push` throws. */
  readonly onPreview?: ((preview: Preview) => void) | undefined;
}
/** Turns the native events of one reply into a `Turn`. */
export interface Gate {
  /** `ended`: the protocol's own end came. `void`: whatever follows, no call of this reply can run. */
  readonly state: "open" | "ended" | "void";
  /** One native event, or a whole reply. */
  push(native: unknown): void;
  /** The request, or the transport, threw. */
  fail(thrown: unknown): void;
  /** The reply is over. Gives the verdict, and the same one when it is asked again. */
  end(): Turn;
}

/**
 * The one place that decides whether the tool calls of a reply may run: all of them, or none.
 * Tell it what was sent, so that it can compare usage with the cap and give ids that are new to the history.
 */
export function createGate(adapter: Adapter, request: SentRequest = {}, { signal, onPreview }: GateOptions = {}): Gate {
  const seen = createSeen();
  let listenerThrew = false;
  let turn: Turn | undefined;
  const preview =
    onPreview &&
    ((event: Preview): void => {
      listenerThrew = true;
      onPreview(event);
      listenerThrew = false;
    });
  const receiver = { adapter, seen, preview };
  const decode = adapter.decoder((event) => receive(event, receiver));

  return {
    get state() {
      if (seen.malformed !== undefined) return "void";
      return seen.ended ? "ended" : "open";
    },
    push(native) {
      if (seen.malformed !== undefined || turn !== undefined) return;
      try {
        decode(native);
      } catch (thrown) {
        takeUnreadable(seen, thrown);
        if (listenerThrew) throw thrown;
      }
    },
    fail: (thrown) => takeThrown(seen, thrown, adapter.errors),
    end: () => {
      turn ??= settle(seen, { adapter, request, aborted: signal?.aborted ?? false });
      return turn;
    },
  };
}

/** Gives a licence to run; the only place that does. */
export const licence = ({ id, name, by }: ToolCallBlock, input: ToolCall["input"]): ToolCall =>
  Object.freeze({ id, name, input, ...(by && { by }) }) as ToolCall;

interface Circumstances {
  readonly adapter: Adapter;
  readonly request: SentRequest;
  readonly aborted: boolean;
}

function settle(seen: Seen, { adapter, request, aborted }: Circumstances): Turn {
  const { items } = seen.blocks;
  const { error, malformed, lost, claim, native, standing, ended, noCalls, usage, effects } = seen;
  const inputs = distinctInputs(items);
  const parse = once((input: Input): ParsedInput => parseInput(inputText(input), input.kind));
  const facts = {
    error,
    malformed,
    lost,
    claim,
    standing,
    ended,
    noCalls,
    usage,
    inputs,
    parse,
    openServerCalls: openServerCalls(items).size,
  };
  const failure = judge({ adapter, request, aborted, ...facts });
  const base = { ...(native && { native }), text: textOf(items), usage: { input: 0, output: 0, ...usage }, ...(effects && { effects }) };
  const idOf = createIds(request.messages ?? []);
  const message = (stopReason: StopReason, content: AssistantMessage["content"]): AssistantMessage => {
    const { provider, protocol, model } = adapter;
    const { resume } = seen;
    const about = { ...(native && { native }), usage: base.usage, ...(resume !== undefined && { resume }) };
    return { role: "assistant", content, from: { provider, protocol, model }, stopReason, ...about };
  };

  if (failure === undefined && inputs.length > 0) {
    const blocks = new Map(inputs.map((input) => [input, callBlock(input, idOf(input.id))]));
    const calls = [...blocks].flatMap(([input, block]) => {
      const parsed = parse(input);
      return "input" in parsed ? [licence(block, parsed.input)] : [];
    });
    const stopReason = "tool-use";
    return {
      ...base,
      stopReason,
      message: message(stopReason, replaySafe(items, stopReason, blocks)),
      calls: atLeastOne(calls),
      withheld: [],
    };
  }
  const stopReason = reasonOf(seen, failure);
  const content = keptContent(seen, stopReason);
  const why = failure?.why ?? "stop-reason";
  const withheld = inputs.map(
    (input): WithheldCall => ({
      ...{ id: idOf(input.id), name: input.name, inputText: inputText(input) },
      ...(input.kind && { kind: input.kind }),
      why,
    }),
  );
  const rest = { ...base, ...(content.length > 0 && { message: message(stopReason, content) }), calls: [] as const, withheld };
  if (!isFailed(stopReason)) return { ...rest, stopReason };
  return { ...rest, stopReason, error: errorOf({ seen, failure, stopReason, noEnd: adapter.noEnd }) };
}

function keptContent({ blocks: { items } }: Seen, stopReason: StopReason): AssistantMessage["content"] {
  const { keeps } = stopRules[stopReason];
  const content = keeps === "nothing" ? [] : replaySafe(items, stopReason, new Map());
  return keeps === "text" && !content.some((block) => block.type === "text") ? [] : content;
}

const callBlock = (input: Input, id: string): ToolCallBlock => ({
  type: "tool-call",
  id,
  ...(input.id !== undefined && { nativeId: input.id }),
  name: input.name ?? "",
  inputText: inputText(input),
  ...(input.kind && { kind: input.kind }),
  ...(input.seal !== undefined && { seal: input.seal }),
});

/** The first failed rule's reason, unless the provider claims a worse one. */
function reasonOf({ claim }: Seen, failure: Failure | undefined): Exclude<StopReason, "tool-use"> {
  const found = failure?.stop ?? "stop";
  const reason = claim === undefined ? found : worse(found, claim.stop);
  return reason === "tool-use" ? found : reason;
}

interface Found {
  readonly seen: Seen;
  readonly failure: Failure | undefined;
  readonly stopReason: FailedStop;
  readonly noEnd: string | undefined;
}
function errorOf({ seen: { claim, native }, failure, stopReason, noEnd }: Found): ProviderError {
  if (failure?.error !== undefined && errorRules[failure.error.kind].stop === stopReason) return failure.error;
  const claimed = claim?.stop === stopReason;
  const kind = (claimed ? claim.error : undefined) ?? failedKinds[stopReason];
  const said = `The provider ended the reply with "${native?.stop}"`;
  if (claimed && claim.error === "unknown-stop")
    return new ProviderError(`${said}, which the adapter's table does not list; its option \`stops\` adds words.`, { kind });
  if (claimed)
    return new ProviderError(`${said}${native?.detail === undefined ? "" : `: ${JSON.stringify(native.detail)}`}.`, {
      kind,
      code: native?.stop,
    });
  const finding = sentence(whyWords[failure?.why ?? "stop-reason"]);
  return new ProviderError(failure?.why === "no-terminal" && noEnd !== undefined ? `${finding} ${noEnd}` : finding, { kind });
}

function once<Key, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, Value>();
  return (key) => {
    const value = known.get(key) ?? compute(key);
    known.set(key, value);
    return value;
  };
}

export function atLeastOne<Item>([head, ...tail]: readonly Item[]): [Item, ...Item[]] {
  if (head === undefined) throw new TypeError("a turn with tool-use needs a call");
  return [head, ...tail];
}
