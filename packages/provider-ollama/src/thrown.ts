import { ProviderError } from "@fullstop/core";
import { readOllamaError } from "./errors.ts";

interface Target {
  readonly model: string;
  readonly baseURL: string;
}

export function explainFailure(thrown: unknown, { model, baseURL }: Target): never {
  const refused = refusedCode(thrown);
  if (refused !== undefined) {
    const host = URL.canParse(baseURL) ? new URL(baseURL).host : "the server";
    throw new ProviderError(
      `No connection to ${host}: it refused the connection (${refused}). Start it with \`ollama serve\`, or correct \`baseURL\` or OLLAMA_HOST.`,
      { kind: "network", code: refused, cause: thrown },
    );
  }
  const failed = thrown as FailedRequest;
  const sentence = isObject(thrown) ? sentenceOf(failed) : undefined;
  if (sentence === undefined) throw thrown;
  const known = readOllamaError(sentence, model) ?? explainPath(failed, sentence);
  if (known === undefined) throw thrown;
  throw Object.assign(failed, { code: known.code, error: { error: { message: known.message } } });
}

/** The fields of an error with a failed status. `error` is the parsed body, or its text. */
interface FailedRequest {
  readonly status?: unknown;
  readonly error?: unknown;
}

const sentenceOf = ({ error }: FailedRequest): string | undefined => {
  const said = isObject(error) && "error" in error ? error.error : error;
  return typeof said === "string" && said !== "" ? said : undefined;
};

/** The answer to an address that the server does not have is a text. */
const explainPath = ({ status, error }: FailedRequest, sentence: string) =>
  status === 404 && typeof error === "string"
    ? {
        code: "path_not_found",
        message: `${sentence.slice(0, 200)}. The server has no \`/api/chat\` there: \`baseURL\` is the address of the server, without \`/api\` and \`/v1\`.`,
      }
    : undefined;

/** Node's code, and Bun's. */
const refusedCodes: ReadonlySet<unknown> = new Set(["ECONNREFUSED", "ConnectionRefused"]);

/** The code of a refused connection, in an error, its causes, or the errors of its addresses. */
function refusedCode(thrown: unknown, depth = 0): string | undefined {
  if (!isObject(thrown) || depth > 4) return undefined;
  const { code, cause, errors } = thrown as {
    readonly code?: unknown;
    readonly cause?: unknown;
    readonly errors?: unknown;
  };
  if (refusedCodes.has(code)) return String(code);
  const first: unknown = Array.isArray(errors) ? errors[0] : undefined;
  return refusedCode(cause, depth + 1) ?? refusedCode(first, depth + 1);
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;
