import type { ErrorKind } from "@fullstop/core";
import type { ErrorTable } from "@fullstop/core/adapter";

/** What the API's errors are about. The API sends sentences only. */
export type OllamaErrorCode =
  | "model_not_found"
  | "tools_unsupported"
  | "thinking_unsupported"
  | "think_value_unsupported"
  | "sign_in_required"
  | "tool_call_unreadable"
  | "load"
  | "unload";

/** The kind of each code. The HTTP status decides about all other errors. */
export const errors: ErrorTable & Readonly<Record<OllamaErrorCode, ErrorKind>> = {
  model_not_found: "invalid-request",
  tools_unsupported: "invalid-request",
  thinking_unsupported: "invalid-request",
  think_value_unsupported: "invalid-request",
  sign_in_required: "auth",
  /** With the status 500, or in a stream. The same request may fail in the same way. */
  tool_call_unreadable: "malformed-tool-call",
  /** These two are reasons of a reply without content. */
  load: "invalid-request",
  unload: "invalid-request",
};

const noMessage =
  "The request had no message for the model to answer: it needs one of the user, besides the system's.";
export const emptyReplies: Readonly<Record<string, string>> = {
  load: `The server loaded the model and wrote nothing. ${noMessage}`,
  unload: `The server removed the model from memory and wrote nothing. ${noMessage}`,
};

interface KnownError {
  readonly code: OllamaErrorCode;
  readonly text: RegExp;
  advise(model: string): string;
}

/**
 * https://github.com/ollama/ollama: `server/routes.go`, `server/images.go`; for calls that cannot be
 * read, `harmony/harmonyparser.go` and `model/parsers` (ollama/ollama#14570).
 */
const knownErrors: readonly KnownError[] = [
  {
    code: "model_not_found",
    text: /^model ["'][^"']*["'] not found/,
    advise: (model) =>
      `Run \`ollama pull ${model}\` on the machine of the server, or correct the name: \`ollama list\` shows its models.`,
  },
  {
    code: "tools_unsupported",
    text: /does not support tools/,
    advise: () => "Leave out `tools`, or take a model for which `ollama show` lists tools.",
  },
  {
    code: "thinking_unsupported",
    text: /does not support thinking/,
    advise: () =>
      "Leave out `effort` and `params.think`, or take a model for which `ollama show` lists thinking.",
  },
  {
    code: "think_value_unsupported",
    text: /^think value .* is not supported/,
    advise: () => "Set `params: { think: true }` instead of `effort`.",
  },
  {
    code: "sign_in_required",
    text: /^unauthorized/,
    advise: () =>
      "Run `ollama signin` on the machine of the server; https://ollama.com itself needs `apiKey`.",
  },
  {
    code: "tool_call_unreadable",
    text: /^(error parsing tool call: |failed to parse (JSON|XML|function call|arguments)\b|XML syntax error|empty function name$|mismatched arg_key|invalid tool call: |invalid argument: |invalid function call format$|tool '[^']*' not found$|unterminated string$)/,
    advise: () =>
      "The server could not read the call that the model wrote. If it was cut, raise `maxTokens`, or `num_ctx` in `params.options`.",
  },
];

/** The code of an error, and its text with advice. `undefined` if the text is not a known one. */
export function readOllamaError(
  text: string,
  model: string,
): { readonly code: OllamaErrorCode; readonly message: string } | undefined {
  const known = knownErrors.find((one) => one.text.test(text));
  if (known === undefined) return undefined;
  const sentence = /[.!?]$/.test(text) ? text : `${text}.`;
  return { code: known.code, message: `${sentence} ${known.advise(model)}` };
}
