import { ProviderError } from "../contract/error.ts";
import { isRecord } from "../json/fields.ts";

type Reason = readonly [what: string, todo: string];
const checkBoth = "Check the network and `baseURL`.";
const refused: Reason = ["it refused the connection", "Start the server, or correct `baseURL`."];
const unknownHost: Reason = ["no host of this name was found", checkBoth];
const noRoute: Reason = ["the network does not reach it", checkBoth];
const silent: Reason = ["it did not answer in time", checkBoth];
const untrusted: Reason = [
  "its certificate is not trusted",
  "Correct the certificate or `baseURL`.",
];

/**
 * The codes of runtimes for a connection that was not made. No request was sent then.
 * https://nodejs.org/api/errors.html#common-system-errors,
 * https://undici.nodejs.org/#/docs/api/Errors.md; two codes are Bun's.
 */
const reasons: Readonly<Record<string, Reason>> = {
  ECONNREFUSED: refused,
  ConnectionRefused: refused,
  ENOTFOUND: unknownHost,
  EAI_AGAIN: unknownHost,
  EHOSTUNREACH: noRoute,
  EHOSTDOWN: noRoute,
  ENETUNREACH: noRoute,
  ENETDOWN: noRoute,
  FailedToOpenSocket: noRoute,
  UND_ERR_CONNECT_TIMEOUT: silent,
  CERT_HAS_EXPIRED: untrusted,
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  ERR_TLS_CERT_ALTNAME_INVALID: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
};

/** Whether no connection was made. Then no reply began. */
export const isUnreachable = ({ kind, code }: Pick<ProviderError, "kind" | "code">): boolean =>
  kind === "network" && code !== undefined && Object.hasOwn(reasons, code);

/**
 * The error of a connection that was not made; undefined for another one. `address` replaces the one
 * that the runtime reports.
 */
export function unreachable(
  thrown: unknown,
  address?: string | undefined,
): ProviderError | undefined {
  const found = inChain(thrown).find(
    ({ code }) => typeof code === "string" && Object.hasOwn(reasons, code),
  );
  const code = String(found?.code);
  const reason = reasons[code];
  if (found === undefined || reason === undefined) return undefined;
  const [what, todo] = reason;
  const message = `No connection to ${address ?? addressOf(found) ?? "the provider"}: ${what} (${code}). ${todo}`;
  return new ProviderError(message, { kind: "network", code, cause: thrown });
}

/** The fields that Node puts on socket errors. */
type SocketField =
  | "message"
  | "code"
  | "cause"
  | "errors"
  | "address"
  | "hostname"
  | "host"
  | "port";
type SocketFields = Readonly<Partial<Record<SocketField, unknown>>>;

/** The error and its causes, at most five. */
export function inChain(thrown: unknown): readonly SocketFields[] {
  const chain: SocketFields[] = [];
  for (let value = thrown; isRecord(value) && chain.length < 5; value = chain.at(-1)?.cause)
    chain.push(value);
  return chain;
}

/** If a name has several addresses, the error has a list of errors. */
function addressOf({ hostname, host, address, port, errors }: SocketFields): string | undefined {
  const [first] = Array.isArray(errors) ? (errors as readonly unknown[]) : [];
  if (isRecord(first)) return addressOf(first);
  const name = [hostname, host, address].find((text) => typeof text === "string" && text !== "");
  if (name === undefined) return undefined;
  const shown = String(name).includes(":") ? `[${name}]` : String(name);
  return typeof port === "number" ? `${shown}:${port}` : shown;
}
