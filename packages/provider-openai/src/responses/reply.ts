import type { ReplyReader } from "@fullstop/core";
import {
  defineReplyReader,
  type ErrorTable,
  type Fields,
  fieldsOf,
  isFields,
  type OfferedTool,
  type ReplySpec,
  type SentParts,
  type StopTable,
  sentParts,
  sentTool,
  unfinishedStops,
} from "@fullstop/core/adapter";
import { readOutput } from "../output.ts";
import { createResponsesDecoder } from "./decode.ts";
import { responsesErrors } from "./errors.ts";
import type { ResponsesEvent } from "./events.ts";
import { type HostRules, hostRulesOf } from "./hosts.ts";
import { responsesStops } from "./stops.ts";

/** Options for reading the replies of a host. */
export interface ResponsesReplyOptions {
  /** What further native stop reasons of the host mean. Added to the table of the adapter. */
  readonly stops?: StopTable | undefined;
  /**
   * The host reports cut replies as `completed`: calls then run only if the usage is below the
   * output cap. llama.cpp and LiteLLM do so.
   */
  readonly mislabelsTruncation?: boolean | undefined;
  /**
   * The host runs custom tools itself: a `custom_tool_call`, and an item of a type that OpenAI does
   * not define, is then not a call. The default is `true` if the `baseURL` is that of xAI.
   */
  readonly runsCustomTools?: boolean | undefined;
}

/** Options for a reader that stands between the host and another client. */
export interface ResponsesReaderOptions extends ResponsesReplyOptions {
  /**
   * `"error"`: a reply that waits for an answer to an item of an unknown type is an error, because
   * this package cannot give the answer. `"pass"`: the reply ends as the host says, because another
   * client may know the item. The default is `"error"`.
   */
  readonly unknownItems?: "error" | "pass" | undefined;
  /** The address of the host, if it is not OpenAI. That of xAI or OpenRouter says how it differs. */
  readonly baseURL?: string | undefined;
}

/** A host of the protocol whose replies are read. */
export interface ResponsesReplyHost extends Pick<ReplySpec<ResponsesEvent>, "provider" | "model"> {
  /** Error codes of the host, added to those of the protocol. */
  readonly errors?: ErrorTable | undefined;
}

export function responsesReplySpec(
  { provider, model, ...host }: ResponsesReplyHost,
  options: ResponsesReaderOptions = {},
  hostRules: HostRules = hostRulesOf(options.baseURL),
): ReplySpec<ResponsesEvent> {
  const { mislabelsTruncation, runsCustomTools = hostRules.runsCustomTools } = options;
  const rules: HostRules = {
    ...hostRules,
    runsCustomTools,
    ...(options.unknownItems === "pass" && { unknownItems: "pass" }),
  };
  return {
    provider,
    protocol: "openai-responses",
    model,
    stops: { ...unfinishedStops, ...responsesStops, ...options.stops },
    errors: { ...responsesErrors, ...host.errors },
    toolInputEnd: "explicit",
    ...(mislabelsTruncation !== undefined && { mislabelsTruncation }),
    readSent: readResponsesRequest,
    decoder: (emit) => createResponsesDecoder(emit, rules),
  };
}

/** Reads replies of a host of the Responses API, for `createGate`. */
export const responsesReply = (
  host: ResponsesReplyHost,
  options: ResponsesReaderOptions = {},
): ReplyReader => defineReplyReader(responsesReplySpec(host, options));

/**
 * Reads replies of OpenAI's Responses API, for `createGate`. Needs no SDK.
 * Push the parsed events of a stream, or the whole response.
 */
export const openaiReply = (model: string, options: ResponsesReaderOptions = {}): ReplyReader =>
  responsesReply({ provider: "openai", model }, options);

/**
 * Reads the output cap, the tools and the object that was asked for from a request body of the
 * Responses API.
 */
export function readResponsesRequest(body: unknown): SentParts {
  const { max_output_tokens: cap, tools, text } = fieldsOf(body);
  const { type, ...format } = fieldsOf(fieldsOf(text)["format"]);
  return sentParts({ cap, tools, ...readOutput(type, format) }, readResponsesTool);
}

function readResponsesTool(tool: Fields): readonly OfferedTool[] {
  const { type, name, description, parameters } = tool;
  if (typeof name !== "string" || (type !== "function" && type !== "custom")) return [];
  if (type === "custom") return [sentTool({ name, description, inputSchema: "text" })];
  return isFields(parameters) ? [sentTool({ name, description, inputSchema: parameters })] : [];
}
