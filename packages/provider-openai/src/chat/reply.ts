import type { ReplyReader } from "@fullstop/core";
import {
  type Claim,
  defineReplyReader,
  type ErrorTable,
  type Fields,
  fieldsOf,
  type OfferedTool,
  type ReplySpec,
  type SentParts,
  type StopTable,
  sentParts,
  sentTool,
  unfinishedStops,
} from "@fullstop/core/adapter";
import { readOutput } from "../output.ts";
import type { RequestedChoices } from "./choices.ts";
import { createChatDecoder } from "./decode.ts";
import { chatErrors } from "./errors.ts";
import { type ChatEvent, doneMarker } from "./events.ts";
import { nativeStops } from "./native-finish-reason.ts";
import { openaiReplyQuirks, type ReplyQuirks } from "./quirks.ts";
import { chatStops } from "./stops.ts";

/** Options for reading the replies of a host. */
export interface ChatReplyOptions {
  /** What further native stop reasons of the host mean. Added to the table of the adapter. */
  readonly stops?: StopTable | undefined;
  /**
   * `true` for a host or a gateway that mislabels truncated replies: calls then run only if a usage
   * below the output cap proves that the reply was not cut. `false` for a host that reports
   * truncation correctly. The default depends on the host.
   */
  readonly mislabelsTruncation?: boolean | undefined;
}

/** Options for a reader of replies to requests of others. */
export interface ChatReaderOptions extends ChatReplyOptions {
  /** `"one"` if the request asks for one choice (`n`): a call is then an error in another one. */
  readonly requested?: RequestedChoices | undefined;
  /**
   * `"none"` if the request names no stop sequence: one that the host reports as matched is then its
   * own end, such as `<|im_end|>`.
   */
  readonly stopSequences?: StopSequences | undefined;
}
/** Whether a request may end a reply at a text. */
export type StopSequences = "none" | "any";

/** Whether a request body names stop sequences. SGLang also takes patterns. */
export const stopSequencesIn = (body: unknown): StopSequences =>
  [fieldsOf(body)["stop"], fieldsOf(body)["stop_regex"]].every(isNothing) ? "none" : "any";
const isNothing = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === "" ||
  (Array.isArray(value) && value.length === 0);

/** What a request asks for. */
type Asked = Pick<ChatReaderOptions, "requested" | "stopSequences">;

/** How the replies of one host of the protocol differ from OpenAI's. */
export interface ChatReplyHost
  extends Pick<
    ReplySpec<ChatEvent>,
    "provider" | "model" | "mislabelsTruncation" | "missingEndHint"
  > {
  readonly quirks: ReplyQuirks;
  /** Native stop reasons of the host, added to those of the protocol. */
  readonly stops?: StopTable | undefined;
  /** Error codes of the host, instead of those of the protocol. */
  readonly errors?: ErrorTable | undefined;
}

export function chatReplySpec(
  host: ChatReplyHost,
  options: ChatReplyOptions,
  { requested = "one", stopSequences = "any" }: Asked,
): ReplySpec<ChatEvent> {
  const { provider, model, missingEndHint, errors = chatErrors } = host;
  const quirks =
    stopSequences === "none" ? { ...host.quirks, matchedStop: undefined } : host.quirks;
  const { mislabelsTruncation = host.mislabelsTruncation } = options;
  return {
    provider,
    protocol: "openai-chat",
    model,
    stops: withRefusals({
      ...unfinishedStops,
      ...chatStops,
      ...nativeStops,
      ...(quirks.doneEnds && { [doneMarker]: "stop" }),
      ...(quirks.matchedStop && { [quirks.matchedStop]: { stop: "stop", calls: "never" } }),
      ...host.stops,
      ...options.stops,
    }),
    errors,
    toolInputEnd: "implicit",
    ...(mislabelsTruncation !== undefined && { mislabelsTruncation }),
    ...(missingEndHint !== undefined && { missingEndHint }),
    readSent: readChatRequest,
    decoder: (emit) => createChatDecoder(emit, { quirks, errors, requested }),
  };
}

/** Text in `refusal` makes a refusal of every native stop reason of a finished reply. */
function withRefusals(stops: StopTable): StopTable {
  const refusals: Record<string, Claim> = {};
  for (const [key, claim] of Object.entries(stops))
    if (!key.includes(":") && (claim === "stop" || claim === "tool-use"))
      refusals[`${key}:refusal`] = "refusal";
  return { ...refusals, ...stops };
}

/** Reads replies of a host of Chat Completions, for `createGate`. */
export const chatReply = (host: ChatReplyHost, options: ChatReaderOptions = {}): ReplyReader =>
  defineReplyReader(
    chatReplySpec(host, options, { ...options, requested: options.requested ?? "any" }),
  );

/**
 * Reads replies of OpenAI's Chat Completions, for `createGate`. Needs no SDK.
 * Push the parsed chunks, or the whole completion, and `"[DONE]"` if it came.
 */
export const openaiChatReply = (model: string, options: ChatReaderOptions = {}): ReplyReader =>
  chatReply({ provider: "openai", model, quirks: openaiReplyQuirks }, options);

export const capNames: readonly string[] = ["max_completion_tokens", "max_tokens"];

/**
 * Reads the output cap, the tools and the object that was asked for from a request body of Chat
 * Completions.
 */
export function readChatRequest(body: unknown): SentParts {
  const { tools, response_format, ...params } = fieldsOf(body);
  const cap = capNames.map((name) => params[name]).find((value) => typeof value === "number");
  const { type, json_schema: format } = fieldsOf(response_format);
  return sentParts({ cap, tools, ...readOutput(type, fieldsOf(format)) }, readChatTool);
}

function readChatTool({ type, function: functionTool, custom }: Fields): readonly OfferedTool[] {
  const { name, description, parameters } = fieldsOf(type === "custom" ? custom : functionTool);
  if (typeof name !== "string") return [];
  const inputSchema = type === "custom" ? "text" : fieldsOf(parameters);
  return [sentTool({ name, description, inputSchema })];
}
