import { type ErrorKind, ProviderError } from "@fullstop/core";
import { fieldsOf, isProviderError } from "@fullstop/core/adapter";
import { errors, exceptionName } from "./errors.ts";

interface Thrown {
  readonly name?: unknown;
  readonly message?: unknown;
  readonly status?: unknown;
  readonly headers?: unknown;
  readonly error?: unknown;
  readonly $metadata?: unknown;
  readonly $response?: unknown;
}

/**
 * Throws what was thrown, with its code, status and message where the core reads them. Amazon names
 * the error of a failed response in a header.
 * https://smithy.io/2.0/aws/protocols/aws-restjson1-protocol.html#operation-error-serialization
 */
export function throwReadable(thrown: unknown): never {
  if (typeof thrown !== "object" || thrown === null || isProviderError(thrown)) throw thrown;
  const { name, message, headers, error }: Thrown = thrown;
  const setUp = setUpError(String(name), String(message), thrown);
  if (setUp !== undefined) throw setUp;
  const body = fieldsOf(error);
  const header = (field: string): string | null =>
    typeof Headers === "function" && headers instanceof Headers ? headers.get(field) : null;
  const requestID = header("x-amzn-requestid");
  const code =
    exceptionName(header("x-amzn-errortype")) ??
    exceptionName(body["__type"]) ??
    exceptionName(body["code"]) ??
    knownName(name);
  const said = body["message"] ?? body["Message"];
  const readable = Object.assign(
    thrown,
    statusOf(thrown),
    code !== undefined && { code },
    requestID !== null && { requestID },
    typeof said === "string" && { error: { message: said } },
  );
  throw isContextFull(String(said ?? message)) ? contextWindowError(readable, code) : readable;
}

/** strands-agents/harness-sdk#3969; the core knows the other messages. */
const isContextFull = (message: string): boolean =>
  /exceed context limit|too many total text bytes/i.test(message);

function contextWindowError(thrown: Thrown, code: string | undefined): ProviderError {
  const { message } = fieldsOf(thrown.error);
  const status = typeof thrown.status === "number" ? thrown.status : undefined;
  const said = typeof message === "string" ? message : String(thrown.message);
  return new ProviderError(status === undefined ? said : `${status}: ${said}`, {
    kind: "context-window",
    status,
    code,
    cause: thrown,
  });
}

function setUpError(name: string, message: string, cause: unknown): ProviderError | undefined {
  if (/^Region is missing/.test(message))
    return toError(
      "No region for Amazon Bedrock: pass `region`, or set the environment variable AWS_REGION.",
      "invalid-request",
      cause,
    );
  if (!/^(CredentialsProviderError|TokenProviderError|ProviderError)$/.test(name)) return undefined;
  const advice = /could not load|credential is missing/i.test(message)
    ? "No credentials for Amazon Bedrock: pass `apiKey` or `credentials`, set AWS_BEARER_TOKEN_BEDROCK, or set up a profile of AWS."
    : `The credentials for Amazon Bedrock cannot be loaded: ${message}`;
  return toError(advice, "auth", cause);
}

const toError = (message: string, kind: ErrorKind, cause: unknown): ProviderError =>
  new ProviderError(message, { kind, cause });

const knownName = (name: unknown): string | undefined =>
  typeof name === "string" && Object.hasOwn(errors, name) ? name : undefined;

/** An error of the SDK has the status in its metadata, and the headers in its response. */
function statusOf(thrown: Thrown): { readonly status?: number; readonly headers?: object } {
  const status = fieldsOf(thrown.$metadata)["httpStatusCode"];
  const headers = fieldsOf(thrown.$response)["headers"];
  return {
    ...(thrown.status === undefined && typeof status === "number" && { status }),
    ...(thrown.headers === undefined && typeof headers === "object" && headers && { headers }),
  };
}
