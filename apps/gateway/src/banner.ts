import { isLoopback } from "./client-check.ts";
import type { CommandOptions } from "./options.ts";
import { knownHost, type Route } from "./routes.ts";
import type { GatewayServer } from "./server.ts";

/** The variables that clients of a vendor read. */
const variables: Readonly<Record<string, string>> = {
  anthropic: "ANTHROPIC_BASE_URL",
  google: "GOOGLE_GEMINI_BASE_URL",
  openai: "OPENAI_BASE_URL",
};

type StartOptions = Required<Pick<CommandOptions, "to">> & Pick<CommandOptions, "token">;

const everywhere: readonly string[] = ["0.0.0.0", "::"];

/** The URL of a server for a client on the same machine. */
export function addressOf({ host, port }: Pick<GatewayServer, "host" | "port">): string {
  const name = everywhere.includes(host) ? "127.0.0.1" : host;
  return `http://${name.includes(":") ? `[${name}]` : name}:${port}`;
}

/** What a person wants to know when the gateway has started. */
export function startText(
  server: GatewayServer,
  { to: routes, token }: StartOptions,
  admin: GatewayServer = server,
): string {
  const address = addressOf(server);
  const lines = Object.entries(routes).map(([name, route]) => {
    const base = `${address}/${name}${clientPathOf(name, route)}`;
    const variable = Object.hasOwn(variables, name) ? variables[name] : undefined;
    return `  ${variable === undefined ? `base URL for ${name}: ` : `export ${variable}=`}${base}\n`;
  });
  const isOpen = !isLoopback(server.host) && token === undefined;
  const warning = isOpen
    ? `Warning: everyone who can reach ${server.host}:${server.port} can use it. Clients still need their own keys. \`--token\` lets in only clients that know it.\n`
    : "";
  const watched = addressOf(admin);
  return `The gateway listens on ${address}. Set in your client:\n${lines.join("")}${warning}Health: ${watched}/readyz, figures: ${watched}/metrics. Ctrl-C stops it.\n`;
}

/** The path that the base URL of a client has, such as `/v1`. */
function clientPathOf(name: string, { url, host }: Route): string {
  const dialect = typeof host === "object" ? host.dialect : undefined;
  const documented = knownHost(name)?.baseURL ?? knownHost(dialect ?? "")?.baseURL;
  return new URL(url).pathname === "/" && documented !== undefined
    ? new URL(documented).pathname.replace(/\/$/, "")
    : "";
}
