import { fieldsOf } from "@fullstop/core/adapter";
import {
  type ElicitRequestURLParams,
  ProtocolError,
  ProtocolErrorCode,
} from "@modelcontextprotocol/client";
import type { Requests, Responses } from "./input-requests.ts";

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
