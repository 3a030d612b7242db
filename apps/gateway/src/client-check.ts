import type { IncomingHttpHeaders } from "node:http";
import { errorAnswer } from "./answers.ts";

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
