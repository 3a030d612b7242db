import { type GuardOptions, type HostFacts, type KnownHost, knownHosts } from "@fullstop/guard";
import { isOwnName } from "./own-paths.ts";

/** The options of the guard that one route may set for itself. */
export type RouteGuard = Pick<GuardOptions, "strict" | "withheld" | "reask">;

/** Where the requests of a route go. */
export interface Route {
  /** What follows the name of the route is appended to this URL. */
  readonly url: string;
  /** How the host differs from the vendor of its protocol. By default its address decides. */
  readonly host?: HostFacts | "unguarded" | undefined;
  /** How its replies are guarded, if not as those of the other routes. */
  readonly guard?: RouteGuard | undefined;
}

/** What stands before an `@` may be a password, or a part of one. */
const withoutLogin = (text: string): string => text.replace(/^.*@/s, "…@");

/** A configuration that cannot be used. The message says what to change. */
export class ConfigurationError extends Error {}

/** Throws a `ConfigurationError` if a route cannot be used. */
export function checkRoutes(routes: Readonly<Record<string, Route>>): void {
  if (Object.keys(routes).length === 0)
    throw new ConfigurationError(
      "No upstream is named. Add at least one to `routes`, or give `--to openai` to the command.",
    );
  for (const [name, { url }] of Object.entries(routes)) {
    if (!/^[\w][\w.-]*$/.test(name))
      throw new ConfigurationError(
        `"${withoutLogin(name)}" cannot be the name of a route: use letters, digits, "-", "_" and ".".`,
      );
    if (isOwnName(name))
      throw new ConfigurationError(`The gateway answers /${name} itself. Use another name.`);
    checkUrl(name, url);
  }
}

function checkUrl(name: string, address: string): void {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new ConfigurationError(
      `The address of "${name}" is not an http or https URL. Write it as in ${name}=http://127.0.0.1:8080.`,
    );
  if (url.username !== "" || url.password !== "")
    throw new ConfigurationError(
      `The address of "${name}" holds a user name or a password. Remove it: clients send their own keys.`,
    );
  if (url.search !== "" || url.hash !== "")
    throw new ConfigurationError(
      `The address of "${name}" holds a query or a fragment. Remove it: clients send their own.`,
    );
}

/** The facts that a route may name, and how each value is read. */
const facts: Readonly<Record<string, (value: string | undefined) => HostFacts | undefined>> = {
  dialect: (value) => {
    const dialect = value === undefined ? undefined : knownHost(value)?.dialect;
    return dialect && { dialect };
  },
  "mislabels-truncation": flag({ mislabelsTruncation: true }),
  "done-ends": flag({ doneEnds: true }),
  "runs-custom-tools": flag({ runsCustomTools: true }),
  vertexai: flag({ vertexai: true }),
  "message-stop": (value) => (value === "optional" ? { messageStop: value } : undefined),
  blocks: (value) => (value === "loose" ? { blocks: value } : undefined),
  "finish-reason": (value) => (value === "every-chunk" ? { finishReason: value } : undefined),
};
function flag(fact: HostFacts): (value: string | undefined) => HostFacts | undefined {
  return (value) => (value === undefined ? fact : undefined);
}

/** What a route may say about its guard. It replaces the option for all routes. */
const guardTexts: Readonly<Record<string, RouteGuard>> = {
  strict: { strict: true },
  "strict=off": { strict: false },
  reask: { reask: true },
  "reask=off": { reask: false },
  "withheld=end": { withheld: "end" },
  "withheld=fail": { withheld: "fail" },
};

/** The host with a name, if it is known. */
export const knownHost = (name: string): KnownHost | undefined =>
  Object.hasOwn(knownHosts, name) ? knownHosts[name] : undefined;

/** The names that `--to NAME` takes. */
export const hostNames: readonly string[] = Object.entries(knownHosts)
  .filter(([, { baseURL }]) => baseURL !== undefined)
  .map(([name]) => name)
  .sort();
const dialectNames: readonly string[] = Object.entries(knownHosts)
  .filter(([, { dialect }]) => dialect !== undefined)
  .map(([name]) => name)
  .sort();

/** What may follow the address of a route, for errors. */
const factTexts: readonly string[] = [
  `dialect=NAME (${dialectNames.join(", ")})`,
  "mislabels-truncation",
  "done-ends",
  "runs-custom-tools",
  "message-stop=optional",
  "blocks=loose",
  "finish-reason=every-chunk",
  "vertexai",
  "unguarded",
  ...Object.keys(guardTexts),
];

/**
 * Reads `NAME[=URL][,FACT…]`, the value of `--to`. Throws a `ConfigurationError` if it cannot be
 * used.
 */
export function parseRoute(text: string): readonly [name: string, route: Route] {
  const [target = "", ...factTexts] = text.split(",");
  const [, name = "", address] = /^([^=]*)=?(.*)$/s.exec(target) ?? [];
  const known = knownHost(name);
  const url = address === "" || address === undefined ? originOf(known?.baseURL) : address;
  if (url === undefined)
    throw new ConfigurationError(
      `No address of "${withoutLogin(name)}" is known. Write ${withoutLogin(name) || "NAME"}=URL, or use one of: ${hostNames.join(", ")}.`,
    );
  const route: Route = { url, ...readFacts(factTexts, factsOf(known)) };
  checkRoutes({ [name]: route });
  return [name, route];
}

const factsOf = ({ dialect, facts }: KnownHost = {}): HostFacts => ({
  ...(dialect !== undefined && { dialect }),
  ...facts,
});
const originOf = (baseURL: string | undefined): string | undefined =>
  baseURL === undefined ? undefined : new URL(baseURL).origin;

function readFacts(texts: readonly string[], known: HostFacts): Omit<Route, "url"> {
  let host = known;
  let guard: RouteGuard | undefined;
  for (const text of texts) {
    if (text === "unguarded") return { host: text };
    const fact = factOf(text);
    const option = Object.hasOwn(guardTexts, text) ? guardTexts[text] : undefined;
    if (fact === undefined && option === undefined)
      throw new ConfigurationError(describeUnknown(text));
    host = { ...host, ...fact };
    if (option !== undefined) guard = { ...guard, ...option };
  }
  return { host, guard };
}

function describeUnknown(text: string): string {
  const [, dialect] = /^dialect=(.+)$/s.exec(text) ?? [];
  return dialect === undefined
    ? `"${withoutLogin(text)}" is not a fact about a host that the guard knows, and not an option of a route. Use: ${factTexts.join("; ")}.`
    : `No dialect is called "${withoutLogin(dialect)}". The dialects are ${dialectNames.join(", ")}.`;
}

function factOf(text: string): HostFacts | undefined {
  const [name = "", value] = text.split("=", 2);
  return Object.hasOwn(facts, name) ? facts[name]?.(value) : undefined;
}
