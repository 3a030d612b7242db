import type { Adapter } from "./adapter.ts";
import { openServerCalls, textOf } from "./blocks.ts";
import { createIds, distinctInputs, type ParsedInput, parseInput } from "./calls.ts";
import { errorRules, failedKinds, isFailed, ProviderError } from "./error.ts";
import type { Decoder, Preview } from "./event.ts";
import { sentence, whyWords } from "./explain.ts";
import { freezeDeep } from "./freeze.ts";
import { type Input, inputText } from "./inputs.ts";
import { licence } from "./licence.ts";
import type { AssistantMessage, ToolCallBlock, Usage } from "./message.ts";
import { writtenText } from "./missing.ts";
import { replaySafe } from "./replay.ts";
import type { Failure } from "./reply.ts";
import { judge } from "./rules.ts";
import {
  createSeen,
  receive,
  type Seen,
  takeContradiction,
  takeThrown,
  takeUnreadable,
} from "./seen.ts";
import { type Request, readSentRequest, type SentRequest } from "./sent.ts";
import { type FailedStop, type StopReason, stopRules, worse } from "./stop.ts";
import { stands } from "./stop-state.ts";
import type { Turn, WithheldCall } from "./turn.ts";

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
  /** One native event, or a whole reply. Throws after `end`. */
  push(native: unknown): void;
  /** The request, or the transport, threw. Throws after `end`. */
  fail(thrown: unknown): void;
  /** The reply is over. Gives the verdict, and the same one when it is asked again. */
  end(): Turn;
}

/**
 * The one place that decides whether the tool calls of a reply may run: all of them, or none. One gate reads one reply.
 * Tell it what was sent, so that it can compare usage with the cap, inputs with schemas, and give ids that are new to the history.
 * @throws TypeError if `sent` holds what it does not know, or lacks the cap where the protocol makes one compulsory.
 */
export function createGate(
  adapter: Adapter,
  sent: SentRequest = {},
  { signal, onPreview }: GateOptions = {},
): Gate {
  const request = readSentRequest(adapter, sent);
  const seen = createSeen();
  let listenerThrew = false;
  let turn: Turn | undefined;
  const count = { pushed: 0, read: 0 };
  const preview =
    onPreview &&
    ((event: Preview): void => {
      listenerThrew = true;
      onPreview(event);
      listenerThrew = false;
    });
  const receiver = { adapter, seen, preview };
  const decode = adapter.decoder((event) => {
    count.read++;
    receive(event, receiver);
  });
  const assertOpen = (): void => {
    if (turn !== undefined)
      throw new Error("This gate has given its verdict. Create a gate for each reply.");
  };

  return {
    get state() {
      if (seen.malformed !== undefined) return "void";
      return seen.stopState === "final" ? "ended" : "open";
    },
    push(native) {
      assertOpen();
      count.pushed++;
      if (seen.malformed !== undefined) return;
      try {
        decode(native);
      } catch (thrown) {
        takeUnreadable(seen, thrown);
        if (listenerThrew) throw thrown;
      }
    },
    fail(thrown) {
      assertOpen();
      takeThrown(seen, thrown, adapter.errors);
    },
    end() {
      if (turn !== undefined) return turn;
      if (stands(seen.stopState) && seen.lost === undefined) checkWhole(seen, decode);
      if (count.pushed > 0 && count.read === 0) seen.lost ??= noneKnown(adapter, count.pushed);
      turn = freezeDeep(settle(seen, { adapter, request, aborted: signal?.aborted ?? false }));
      return turn;
    },
  };
}

/** Contradictions and gaps that only the whole reply shows. */
function checkWhole(seen: Seen, decode: Decoder<unknown>): void {
  try {
    decode.settle?.();
  } catch (thrown) {
    takeContradiction(seen, thrown);
  }
}

const noneKnown = ({ protocol }: Adapter, events: number): ProviderError =>
  new ProviderError(
    `${events === 1 ? "One event came" : `${events} events came`}, but this adapter knows none of them. It reads the protocol ${protocol}: use the adapter of the protocol that the host speaks.`,
    { kind: "cut" },
  );

interface Circumstances {
  readonly adapter: Adapter;
  readonly request: Request;
  readonly aborted: boolean;
}

function settle(seen: Seen, { adapter, request, aborted }: Circumstances): Turn {
  const { items } = seen.blocks;
  const inputs = distinctInputs(items);
  const parse = once(
    (input: Input): ParsedInput => parseInput(writtenText(input, request), input.kind),
  );
  const failure = judge({
    ...seen,
    adapter,
    request,
    aborted,
    inputs,
    parse,
    openServerCalls: openServerCalls(items).size,
  });
  const settled: Settled = {
    seen,
    adapter,
    request,
    inputs,
    idOf: createIds(request.messages ?? []),
  };
  return failure === undefined && inputs.length > 0
    ? withCalls(settled, parse)
    : withoutCalls(settled, failure);
}

/** What both verdicts are made of. */
interface Settled {
  readonly seen: Seen;
  readonly adapter: Adapter;
  readonly request: Request;
  readonly inputs: readonly Input[];
  readonly idOf: (nativeId: string | undefined) => string;
}

function withCalls(settled: Settled, parse: (input: Input) => ParsedInput): Turn {
  const { seen, request, inputs, idOf } = settled;
  const blocks = new Map(
    inputs.map((input) => [input, callBlock(input, idOf(input.id), writtenText(input, request))]),
  );
  const calls = [...blocks].flatMap(([input, block]) => {
    const parsed = parse(input);
    return "input" in parsed ? [licence(block, parsed.input)] : [];
  });
  const stopReason = "tool-use";
  const message = messageOf(settled, stopReason, replaySafe(seen.blocks.items, stopReason, blocks));
  return { ...baseOf(seen), stopReason, message, calls: atLeastOne(calls), withheld: [] };
}

function withoutCalls(settled: Settled, failure: Failure | undefined): Turn {
  const { seen, adapter, inputs, idOf } = settled;
  const stopReason = reasonOf(seen, failure);
  const content = keptContent(seen, stopReason);
  const { reason = "stop-reason", detail }: Partial<Failure> = failure ?? {};
  const withheld = inputs.map(
    (input): WithheldCall => ({
      ...{ id: idOf(input.id), name: input.name, inputText: inputText(input) },
      ...(input.kind && { kind: input.kind }),
      reason,
      ...(detail !== undefined && { detail }),
    }),
  );
  const message = content.length > 0 && { message: messageOf(settled, stopReason, content) };
  const rest = { ...baseOf(seen), ...message, calls: [] as const, withheld };
  if (!isFailed(stopReason)) return { ...rest, stopReason };
  return {
    ...rest,
    stopReason,
    error: errorOf({ seen, failure, stopReason, missingEndHint: adapter.missingEndHint }),
  };
}

const usageOf = ({ usage }: Seen): Usage => ({ input: 0, output: 0, ...usage });

const baseOf = (seen: Seen): Pick<Turn, "native" | "text" | "usage" | "sideEffects"> => ({
  ...(seen.native && { native: seen.native }),
  ...{ text: textOf(seen.blocks.items), usage: usageOf(seen) },
  ...(seen.sideEffects && { sideEffects: seen.sideEffects }),
});

function messageOf(
  { seen, adapter }: Settled,
  stopReason: StopReason,
  content: AssistantMessage["content"],
): AssistantMessage {
  const { provider, protocol, model } = adapter;
  const { native, resume } = seen;
  return {
    ...{ role: "assistant", content, from: { provider, protocol, model }, stopReason },
    ...(native && { native }),
    usage: usageOf(seen),
    ...(resume !== undefined && { resume }),
  };
}

function keptContent(
  { blocks: { items } }: Seen,
  stopReason: StopReason,
): AssistantMessage["content"] {
  const { keeps } = stopRules[stopReason];
  const content = keeps === "nothing" ? [] : replaySafe(items, stopReason, new Map());
  return keeps === "text" && !content.some((block) => block.type === "text") ? [] : content;
}

const callBlock = (input: Input, id: string, text: string): ToolCallBlock => ({
  type: "tool-call",
  id,
  ...(input.id !== undefined && { nativeId: input.id }),
  name: input.name ?? "",
  inputText: text,
  ...(input.kind && { kind: input.kind }),
  ...(input.providerData !== undefined && { providerData: input.providerData }),
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
  readonly missingEndHint: string | undefined;
}
function errorOf({
  seen: { claim, native },
  failure,
  stopReason,
  missingEndHint,
}: Found): ProviderError {
  if (failure?.error !== undefined && errorRules[failure.error.kind].stop === stopReason)
    return failure.error;
  const claimed = claim?.stop === stopReason;
  const kind = (claimed ? claim.error : undefined) ?? failedKinds[stopReason];
  const said = `The provider ended the reply with "${native?.stop}"`;
  if (claimed && claim.error === "unknown-stop")
    return new ProviderError(
      `${said}, which the adapter's table does not list; its option \`stops\` adds words.`,
      { kind },
    );
  if (claimed)
    return new ProviderError(
      `${said}${native?.detail === undefined ? "" : `: ${JSON.stringify(native.detail)}`}.`,
      {
        kind,
        code: native?.stop,
      },
    );
  const advice = failure?.reason === "no-terminal" ? missingEndHint : failure?.detail;
  const finding = sentence(whyWords[failure?.reason ?? "stop-reason"]);
  return new ProviderError(advice === undefined ? finding : `${finding} ${advice}`, { kind });
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
