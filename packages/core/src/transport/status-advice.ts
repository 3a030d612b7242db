import { type ErrorKind, ProviderError } from "../contract/error.ts";

export interface Answerer {
  /** The provider's name for people, such as `Anthropic`. */
  readonly name: string;
  readonly model: string;
  /** The host of a `baseURL` that the program wrote. */
  readonly host?: string | undefined;
  /** The environment variable that holds the key. */
  readonly keyVariable?: string | undefined;
}
interface Advice {
  readonly what: string;
  readonly todo?: string;
}
type Advise = (answerer: Answerer) => Advice;

const refusedKey: Advise = ({ keyVariable }) => ({
  what: "refused the key",
  todo: `Check \`apiKey\`${keyVariable === undefined ? "" : ` or the environment variable ${keyVariable}`}.`,
});
const refusedRequest: Advise = ({ model }) => ({ what: `refused the request for ${model}` });

const adviceByStatus: Readonly<Record<number, Advise>> = {
  401: refusedKey,
  403: () => ({
    what: "does not allow this request with this key",
    todo: "Check the rights of the key.",
  }),
  404: ({ model }) => ({
    what: `does not know the model ${model} or the address`,
    todo: "Check the name of the model, and `baseURL` if there is one.",
  }),
};
const byKind: Readonly<Record<ErrorKind, Advise>> = {
  auth: refusedKey,
  billing: () => ({
    what: "asks for payment",
    todo: "Add credit to the account, or use another key.",
  }),
  "invalid-request": refusedRequest,
  "context-window": ({ model }) => ({ what: `finds the conversation too long for ${model}` }),
  filtered: () => ({ what: "blocked the request" }),
  "malformed-tool-call": refusedRequest,
  "rate-limit": () => ({
    what: "takes no more requests now",
    todo: "Wait, or ask for a higher limit.",
  }),
  overloaded: () => ({ what: "is overloaded", todo: "Try again later, or use another model." }),
  server: () => ({ what: "failed" }),
  cancelled: () => ({ what: "ended the request" }),
  network: () => ({ what: "failed" }),
  timeout: () => ({ what: "did not answer in time" }),
  cut: () => ({ what: "failed" }),
  "malformed-reply": () => ({ what: "did not send a reply" }),
  "too-large": refusedRequest,
  "unknown-stop": () => ({ what: "failed" }),
};

/** The same error, with who answered, about which model and where, and what to do about it. */
export function withStatusAdvice(error: ProviderError, answerer: Answerer): ProviderError {
  const { status, kind, cause } = error;
  if (status === undefined) return error;
  const { what, todo } = (adviceByStatus[status] ?? byKind[kind])(answerer);
  const { name, host } = answerer;
  const said = error.message.replace(/^\d{3}:? */, "").trim();
  const where = host === undefined ? name : `${name} at ${host}`;
  const sentence = `${where} ${what} (${status})${said === "" ? "." : `: ${said}`}`;
  const ended = todo === undefined || /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
  const message = todo === undefined ? ended : `${ended} ${todo}`;
  return new ProviderError(message, { ...error, kind, cause });
}
