import {
  createGate,
  type Gate,
  type ProviderError,
  type ReplyReader,
  type Turn,
} from "@fullstop/core";
import { type Fields, fieldsOf, tryParseJson } from "@fullstop/core/adapter";
import { readerOf, type Sender } from "./native-readers.ts";

/** What the provider itself said, in its own events. */
export interface NativeReply {
  push(native: unknown): void;
  /** A whole reply. It counts only if no event came. */
  pushBody(body: unknown): void;
  fail(error: ProviderError): void;
  /** AI SDK joined several replies, which no reader reads as one. */
  join(): void;
  /** An event came, also one that no reader knows. */
  readonly cameRaw: boolean;
  readonly isJoined: boolean;
  /** The verdict on these events. `undefined` if none came that a reader knows. */
  turn(): Turn | undefined;
}

export interface SentFacts {
  readonly sender: Sender;
  readonly sent: Fields;
  readonly maxTokens: number | undefined;
  readonly signal: AbortSignal | undefined;
  /** The program chose it. */
  readonly reader: ReplyReader | undefined;
}

/** Events before the first one that tells its protocol, such as an error or a `ping`. */
const maxEarly = 32;

export function createNativeReply(facts: SentFacts): NativeReply {
  const early: unknown[] = [];
  let gate = facts.reader && gateOf(facts.reader, facts);
  let body: unknown;
  let cameRaw = false;
  let isJoined = false;
  let isPushed = false;
  const push = (event: unknown): void => {
    gate ??= begin(event);
    if (gate === undefined) {
      if (early.length < maxEarly) early.push(event);
      return;
    }
    isPushed = true;
    gate.push(isBareError(event) ? { error: event } : event);
  };
  const begin = (event: unknown): Gate | undefined => {
    const reader = readerOf(event, facts.sender);
    const begun = reader && gateOf(reader, facts);
    if (begun !== undefined) for (const before of early) begun.push(before);
    return begun;
  };
  return {
    get cameRaw() {
      return cameRaw;
    },
    get isJoined() {
      return isJoined;
    },
    push(native) {
      cameRaw = true;
      isJoined ||= continues(native);
      push(native);
    },
    pushBody(given) {
      body = given;
    },
    fail: (error) => gate?.fail(error),
    join() {
      isJoined = true;
    },
    turn() {
      if (!cameRaw && body !== undefined) {
        push(body);
        body = undefined;
      }
      return isPushed && !isJoined ? gate?.end() : undefined;
    },
  };
}

/** AI SDK drops the name of an event that is named `error`, and Google's provider lets it pass. */
function isBareError(event: unknown): boolean {
  const { message, code } = fieldsOf(event);
  const isError = typeof message === "string" || Number(code) >= 400;
  return isError && Object.keys(fieldsOf(event)).every((name) => errorMembers.has(name));
}
const errorMembers: ReadonlySet<string> = new Set(["message", "code", "status", "details", "type"]);

/** Google's provider joins the replies that continue a long one, and adds up their usage. */
function continues(event: unknown): boolean {
  const { candidates } = fieldsOf(event);
  const { finishReason, continuationToken } = fieldsOf(
    Array.isArray(candidates) ? candidates[0] : undefined,
  );
  return finishReason === "CONTINUATION" && continuationToken != null;
}

function gateOf(reader: ReplyReader, { sent, maxTokens, signal }: SentFacts): Gate {
  // A request without a cap is the provider's to refuse.
  const { capRequired: _, ...spec } = reader;
  const { tools } = spec.readSent?.(sent) ?? {};
  return createGate(spec, { tools, maxTokens }, { signal });
}

/** Some providers give the text of the body. */
export const parsedBody = (body: unknown): Fields =>
  fieldsOf(typeof body === "string" ? tryParseJson(body) : body);

/** Where the protocols of the providers have the output cap. */
const capNames = [
  "max_tokens",
  "max_completion_tokens",
  "max_output_tokens",
  "maxOutputTokens",
  "maxTokens",
  "num_predict",
] as const;

/** It may differ from `maxOutputTokens`: Anthropic's provider adds the budget for thinking. */
export function capOf(sent: Fields): number | undefined {
  const places = [
    sent,
    ...["generationConfig", "inferenceConfig", "options"].map((name) => fieldsOf(sent[name])),
  ];
  const caps = places.flatMap((place) => capNames.map((name) => place[name]));
  return caps.find((cap): cap is number => Number.isInteger(cap) && Number(cap) > 0);
}
