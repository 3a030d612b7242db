import type { IncomingMessage } from "node:http";

/** The names under which this server is reached. HOSTS=agents.example adds one of your own. */
const hosts: ReadonlySet<string> = new Set([
  "localhost",
  "127.0.0.1",
  "[::1]",
  ...(process.env["HOSTS"] ?? "").split(",").filter((host) => host !== ""),
]);

/**
 * Why a request is refused. A page of another site can send requests to this server from the browser
 * of a user: as a form, or under a name of its own that leads to this address (DNS rebinding). Such a
 * page may link here, and nothing else. A program that is not a browser sends no `sec-fetch-site`.
 */
export function refusalOf({ method, headers }: IncomingMessage): string | undefined {
  const { host = "", origin, "sec-fetch-site": site } = headers;
  if (!hosts.has(host.replace(/:\d+$/, ""))) return "This server does not have this name.";
  const isOwn = site === undefined ? isOwnOrigin(origin, host) : ownSites.has(site);
  return isOwn || method === "GET" ? undefined : "This request comes from another site.";
}

/** `none`: a person typed the address. */
const ownSites: ReadonlySet<unknown> = new Set(["same-origin", "none"]);

/** Older browsers send only this header. */
const isOwnOrigin = (origin: string | undefined, host: string): boolean =>
  origin === undefined || origin === `http://${host}` || origin === `https://${host}`;
