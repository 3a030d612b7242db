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
  const push = (event: unknown): void => {
    const reader = gate === undefined ? readerOf(event, facts.sender) : undefined;
    if (reader !== undefined) {
      gate = gateOf(reader, facts);
      for (const before of early.splice(0)) gate.push(before);
    }
    if (gate !== undefined) gate.push(event);
    else if (early.length < maxEarly) early.push(event);
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
      return gate?.begun && !isJoined ? gate.end() : undefined;
    },
  };
}

/** Google's provider joins the replies that continue a long one, and adds up their usage. */
function continues(event: unknown): boolean {
  const { candidates } = fieldsOf(event);
  return Array.isArray(candidates) && fieldsOf(candidates[0])["finishReason"] === "CONTINUATION";
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
