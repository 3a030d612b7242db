import { fieldsOf, unreachable } from "@fullstop/core/adapter";
import { UnknownOutcome } from "@fullstop/loop";
import {
  type ElicitRequestURLParams,
  ProtocolError,
  ProtocolErrorCode,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  UnauthorizedError,
} from "@modelcontextprotocol/client";
import { messageOf, NotConnected } from "./connection.ts";
import type { Requests, Responses } from "./input-requests.ts";
import type { ServerTool } from "./server-tool.ts";

/**
 * What became of a call that has no result. `not-run`: the server did not get it, or rejected it
 * before a tool ran. `answered`: the server answered with an error. `unknown`: the request was sent,
 * and no answer came that can be read.
 */
export type Fate = "not-run" | "answered" | "unknown";

/** HTTP statuses that reject a request before a tool runs. Others may come from a gateway after it. */
const rejecting: ReadonlySet<number> = new Set([
  307, 308, 400, 401, 403, 404, 405, 406, 413, 415, 421, 429, 431,
]);

/**
 * Codes with which a proxy passes on that it lost the answer of the server behind it:
 * `ConnectionClosed` and `RequestTimeout` of the official SDKs. The tool may have run.
 * https://github.com/modelcontextprotocol/typescript-sdk/blob/v1.x/src/types.ts
 */
const lostBehindProxy: ReadonlySet<number> = new Set([-32000, -32001]);

/** Errors of the SDK from before the request is sent. */
const unsent: ReadonlySet<SdkErrorCode> = new Set([
  SdkErrorCode.NotConnected,
  SdkErrorCode.NotInitialized,
  SdkErrorCode.CapabilityNotSupported,
  SdkErrorCode.MethodNotSupportedByProtocolVersion,
]);

/** Reads what `callTool` threw. What is not known counts as `unknown`. */
export function fateOf(thrown: unknown): Fate {
  if (thrown instanceof NotConnected || thrown instanceof UnauthorizedError) return "not-run";
  if (thrown instanceof ProtocolError)
    return lostBehindProxy.has(thrown.code) ? "unknown" : "answered";
  if (thrown instanceof SdkHttpError) return rejecting.has(thrown.status) ? "not-run" : "unknown";
  if (thrown instanceof SdkError) return unsent.has(thrown.code) ? "not-run" : "unknown";
  return unreachable(thrown) !== undefined ? "not-run" : "unknown";
}

/** What `execute` throws: an error for the model, or a doubt that the loop handles. */
export function failureOf(thrown: unknown, { server, tool, isIdempotent }: ServerTool): Error {
  const reason = sentence(shortReason(messageOf(thrown)));
  const messages: Readonly<Record<Fate, string>> = {
    "not-run": `The tool was not run, because the server "${server}" did not take the call. ${reason} You may call it again later.`,
    answered: `The server "${server}" answered with an error. ${reason}`,
    unknown: `The call was sent to the server "${server}", and no answer came that can be read. ${reason}`,
  };
  const fate = fateOf(thrown);
  const message = messages[fate];
  if (fate !== "unknown") return new Error(message, { cause: thrown });
  return isIdempotent
    ? new Error(`${message} "${tool}" may be called again.`, { cause: thrown })
    : new UnknownOutcome(message, { cause: thrown });
}

/** The SDK lists every shape that an answer may have. */
const longestReason = 300;
const shortReason = (text: string): string =>
  text.length <= longestReason ? text : `${text.slice(0, longestReason)} …`;
const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

/**
 * The addresses that a person must open before the server takes the call, by their ids. A server of
 * the protocol of 2025-11-25 names them in the error -32042, in place of a result: the call did not
 * run. Undefined for other errors, and if the error names nothing that can be opened.
 */
export function requiredUrls(thrown: unknown): Requests | undefined {
  if (!(thrown instanceof ProtocolError)) return undefined;
  if (thrown.code !== ProtocolErrorCode.UrlElicitationRequired) return undefined;
  const { elicitations } = fieldsOf(thrown.data);
  if (!Array.isArray(elicitations) || elicitations.length === 0) return undefined;
  if (!elicitations.every(isUrlQuestion)) return undefined;
  return Object.fromEntries(
    elicitations.map((params) => [
      params.elicitationId,
      { method: "elicitation/create" as const, params: { ...params, mode: "url" as const } },
    ]),
  );
}

function isUrlQuestion(value: unknown): value is ElicitRequestURLParams {
  const { elicitationId, url, message } = fieldsOf(value);
  return [elicitationId, url, message].every((member) => typeof member === "string");
}

/** Why the call is not sent again; undefined if the person opened every address. */
export function declineOf(responses: Responses): string | undefined {
  const refusal = Object.values(responses).find(
    (response) => "action" in response && response.action !== "accept",
  );
  return refusal === undefined
    ? undefined
    : "The tool was not run, because the server asks a person to open an address first, and the person did not agree.";
}
