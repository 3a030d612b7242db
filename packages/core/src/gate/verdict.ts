import type { ReplyReader } from "../contract/adapter.ts";
import { errorRules, failedKinds, isFailed, ProviderError } from "../contract/error.ts";
import type { AssistantMessage, ToolCallBlock, Usage } from "../contract/message.ts";
import { type FailedStop, type StopReason, stopRules, worse } from "../contract/stop.ts";
import type { ReplyOutput, Turn, WithheldCall } from "../contract/turn.ts";
import { openServerCalls, textOf } from "../reply/blocks.ts";
import { type Input, inputText } from "../reply/inputs.ts";
import type { ReplyState } from "../reply/reply-state.ts";
import {
  type CallIdsIn,
  createIds,
  distinctInputs,
  type ParsedInput,
  parseInput,
} from "./calls.ts";
import { findings, toSentence } from "./explain.ts";
import { contentForHistory } from "./history-content.ts";
import { issueToolCall } from "./issued-calls.ts";
import { writtenText } from "./missing.ts";
import { outputOf, parseOutput } from "./output.ts";
import type { Failure, Reply } from "./reply.ts";
import { type Judgement, judge } from "./rules.ts";
import type { Request } from "./sent-request.ts";
import { type SharedMembers, turnBase } from "./turn-base.ts";

interface TurnContext {
  readonly reader: ReplyReader;
  readonly request: Request;
  readonly aborted: boolean;
  readonly callIdsIn: CallIdsIn;
}

export function buildTurn(
  state: ReplyState,
  { reader, request, aborted, callIdsIn }: TurnContext,
): Turn {
  const { items } = state.blocks;
  const inputs = distinctInputs(items);
  const parse = memoized(
    (input: Input): ParsedInput => parseInput(writtenText(input, request), input.kind),
  );
  const parseText = memoized(parseOutput);
  const reply: Reply = {
    ...state,
    reader,
    request: withStatedCap(request, state),
    aborted,
    inputs,
    parse,
    output: () => parseText(textOf(items)),
    openServerCalls: openServerCalls(items).size,
  };
  const judgement = judge(reply);
  const parts: TurnParts = {
    state,
    reader,
    request,
    judgement,
    inputs,
    idOf: createIds(request.messages ?? [], callIdsIn),
  };
  if (judgement.failure === undefined && inputs.length > 0) return toolUseTurn(parts, parse);
  return turnWithoutCalls(parts, outputOf(reply, judgement.failure));
}

/** A host may lower the cap, or add one. The lower of the sent and the stated cap counts. */
const withStatedCap = (request: Request, { statedCap }: ReplyState): Request =>
  statedCap === undefined
    ? request
    : { ...request, maxTokens: Math.min(request.maxTokens ?? statedCap, statedCap) };

interface TurnParts {
  readonly state: ReplyState;
  readonly reader: ReplyReader;
  readonly request: Request;
  readonly judgement: Judgement;
  readonly inputs: readonly Input[];
  readonly idOf: (nativeId: string | undefined) => string;
}

function toolUseTurn(parts: TurnParts, parse: (input: Input) => ParsedInput): Turn {
  const { state, request, inputs, idOf } = parts;
  const blocks = new Map(
    inputs.map((input) => [input, callBlock(input, idOf(input.id), writtenText(input, request))]),
  );
  const calls = [...blocks].flatMap(([input, block]) => {
    const parsed = parse(input);
    return "input" in parsed ? [issueToolCall(block, parsed.input)] : [];
  });
  const stopReason = "tool-use";
  const message = assistantMessage(
    parts,
    stopReason,
    contentForHistory(state.blocks.items, stopReason, blocks),
  );
  return { ...baseOf(parts), stopReason, message, calls: atLeastOne(calls), withheld: [] };
}

function turnWithoutCalls(parts: TurnParts, output: ReplyOutput | undefined): Turn {
  const {
    state,
    reader,
    judgement: { failure },
  } = parts;
  const stopReason = reasonOf(state, failure);
  const content = keptContent(state, stopReason);
  const message = content.length > 0 && { message: assistantMessage(parts, stopReason, content) };
  const turn = {
    ...baseOf(parts),
    ...message,
    calls: [] as const,
    withheld: withheldCalls(parts, failure),
  };
  if (!isFailed(stopReason))
    return { ...turn, stopReason, ...(stopReason === "stop" && output && { output }) };
  return { ...turn, stopReason, error: errorOf(state, { failure, stopReason, reader }) };
}

const withheldCalls = (
  { inputs, idOf }: TurnParts,
  { reason = "stop-reason", detail }: Partial<Failure> = {},
): readonly WithheldCall[] =>
  inputs.map((input) => ({
    id: idOf(input.id),
    name: input.name,
    inputText: inputText(input),
    ...(input.kind && { kind: input.kind }),
    reason,
    ...(detail !== undefined && { detail }),
  }));

const usageOf = ({ usage }: ReplyState): Usage => ({ input: 0, output: 0, ...usage });

const baseOf = ({ state, judgement }: TurnParts): SharedMembers =>
  turnBase({
    ...state,
    text: textOf(state.blocks.items),
    usage: usageOf(state),
    rules: judgement.results,
  });

function assistantMessage(
  { state, reader }: TurnParts,
  stopReason: StopReason,
  content: AssistantMessage["content"],
): AssistantMessage {
  const { provider, protocol, model } = reader;
  const { native, resume } = state;
  return {
    role: "assistant",
    content,
    from: { provider, protocol, model },
    stopReason,
    ...(native && { native }),
    usage: usageOf(state),
    ...(resume !== undefined && { resume }),
  };
}

function keptContent(
  { blocks: { items } }: ReplyState,
  stopReason: StopReason,
): AssistantMessage["content"] {
  const { keeps } = stopRules[stopReason];
  const content = keeps === "nothing" ? [] : contentForHistory(items, stopReason, new Map());
  return keeps === "text" && !content.some((block) => block.type === "text") ? [] : content;
}

const callBlock = (input: Input, id: string, text: string): ToolCallBlock => ({
  type: "tool-call",
  id,
  ...(input.id !== undefined && { nativeId: input.id }),
  name: input.name ?? "",
  inputText: text,
  ...(input.kind && { kind: input.kind }),
  ...(input.asks && { asks: input.asks }),
  ...(input.providerData !== undefined && { providerData: input.providerData }),
});

/** The first failed rule's reason, unless the provider claims a worse one. */
function reasonOf(
  { claim }: ReplyState,
  failure: Failure | undefined,
): Exclude<StopReason, "tool-use"> {
  const found = failure?.stop ?? "stop";
  const reason = claim === undefined ? found : worse(found, claim.stop);
  return reason === "tool-use" ? found : reason;
}

interface FailedVerdict {
  readonly failure: Failure | undefined;
  readonly stopReason: FailedStop;
  readonly reader: ReplyReader;
}
function errorOf(
  { claim, native }: ReplyState,
  { failure, stopReason, reader }: FailedVerdict,
): ProviderError {
  if (failure?.error !== undefined && errorRules[failure.error.kind].stop === stopReason)
    return failure.error;
  const claimed = claim?.stop === stopReason;
  const kind = (claimed ? claim.error : undefined) ?? failedKinds[stopReason];
  const ending = `The provider ended the reply with "${native?.stop}"`;
  if (claimed && claim.error === "unknown-stop") {
    return new ProviderError(
      `${ending}. The adapter does not know this stop reason. Add it with the adapter's option \`stops\`.`,
      { kind },
    );
  }
  if (claimed) {
    const detail = native?.detail === undefined ? "" : `: ${JSON.stringify(native.detail)}`;
    return new ProviderError(`${ending}${detail}.`, { kind, code: native?.stop });
  }
  const advice =
    failure?.reason === "no-terminal" ? hintOf(reader, native !== undefined) : failure?.detail;
  const finding = toSentence(findings[failure?.reason ?? "stop-reason"]);
  return new ProviderError(advice === undefined ? finding : `${finding} ${advice}`, { kind });
}

function hintOf({ missingEndHint: hint }: ReplyReader, hasStopReason: boolean): string | undefined {
  if (typeof hint !== "object") return hint;
  return hasStopReason ? hint.afterStopReason : undefined;
}

function memoized<Key, Value>(compute: (key: Key) => Value): (key: Key) => Value {
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
