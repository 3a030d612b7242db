import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { errorAnswer } from "./answers.ts";
import { ConfigurationError } from "./routes.ts";

/** Whether an address can be reached from this machine only. */
export const isLoopback = (host: string): boolean =>
  /^(?:127\.\d+\.\d+\.\d+|::1|\[::1\]|(?:.*\.)?localhost)$/i.test(host);

/** The address that a server listens on, and the further names that clients may use for it. */
export interface ServedNames {
  readonly host: string;
  readonly allowedHosts: readonly string[];
}

/**
 * Refuses what a web page sends to a server of this machine. A page can give its own name to the
 * address 127.0.0.1 (DNS rebinding), and it can send requests to other sites. A browser then names
 * the page in `Host` or `Origin`. A server for other machines is reached under names that are not
 * known here, so only names that are given are checked there.
 */
export function refuseForeignPage(
  { host, origin }: IncomingHttpHeaders,
  { host: served, allowedHosts }: ServedNames,
): Response | undefined {
  if (!isLoopback(served) && allowedHosts.length === 0) return undefined;
  const isOwn = (name: string | undefined): boolean =>
    name !== undefined &&
    (isLoopback(name) || allowedHosts.some((allowed) => hostnameOf(`http://${allowed}`) === name));
  if (host !== undefined && !isOwn(hostnameOf(`http://${host}`))) return refuse("Host", host);
  if (origin !== undefined && !isOwn(hostnameOf(origin))) return refuse("Origin", origin);
  return undefined;
}

const hostnameOf = (address: string): string | undefined =>
  URL.canParse(address) ? new URL(address).hostname : undefined;

const refuse = (header: string, value: string): Response =>
  errorAnswer({
    status: 403,
    type: "forbidden",
    message: `The gateway answers only programs that know it as this machine, and the header ${header} is "${value.slice(0, 100)}". If you trust this name, start the gateway with \`--allow-host NAME\`.`,
  });

/** The header with the token of a client. It is never sent to an upstream. */
export const tokenHeader = "x-fullstop-token";

/** Refuses a request without the token. Returns `undefined` for one that has it. */
export type TokenCheck = (headers: IncomingHttpHeaders) => Response | undefined;

/**
 * Creates the check of a token. The time that it takes does not depend on what a client sends, so
 * the token cannot be guessed piece by piece.
 *
 * @throws {ConfigurationError} for a token that is short or cannot be sent in a header.
 */
export function createTokenCheck(token: string | undefined): TokenCheck {
  if (token === undefined) return () => undefined;
  if (!isToken.test(token))
    throw new ConfigurationError(
      "The token of the gateway needs at least 16 letters, digits or signs, and no space. `openssl rand -hex 24` makes one.",
    );
  const expected = digestOf(token);
  return ({ [tokenHeader]: given, "proxy-authorization": bearer }) => {
    const sent = [given, bearer?.replace(/^Bearer +/i, "")].find((one) => one !== undefined);
    return timingSafeEqual(digestOf(String(sent)), expected) ? undefined : tokenMissing();
  };
}

const isToken = /^[\x21-\x7e]{16,}$/;
const digestOf = (text: string): Buffer => createHash("sha256").update(text).digest();

const tokenMissing = (): Response =>
  errorAnswer({
    status: 401,
    type: "authentication_error",
    message: `This gateway has a token of its own. Send it in the header ${tokenHeader}, beside the key of your provider.`,
    headers: { "x-should-retry": "false" },
  });
