const defaultPort: Readonly<Record<string, string>> = { "http:": "80", "https:": "443" };

/**
 * The URL of a server from a value of OLLAMA_HOST, as Ollama's own programs read it: without a
 * scheme the port is 11434 by default, with one it is the scheme's. A server that listens on all
 * addresses (`0.0.0.0`) is reached on the loopback.
 * https://github.com/ollama/ollama/blob/main/envconfig/config.go
 */
export function hostURL(value: string): string {
  const text = value.trim().replace(/^["']|["']$/g, "");
  if (text === "ollama.com") return "https://ollama.com";
  const hasScheme = text.includes("://");
  const [scheme = "http", rest = ""] = hasScheme ? text.split("://", 2) : ["http", text];
  const [hostPort = "", ...path] = rest.split("/");
  const { host, port } = splitPort(hostPort);
  const fallback = hasScheme ? defaultPort[`${scheme}:`] : "11434";
  const chosen = isPort(port) ? port : (fallback ?? "11434");
  const shown = defaultPort[`${scheme}:`] === chosen ? "" : `:${chosen}`;
  const tail = path.join("/").replace(/(?<!\/)\/+$/, "");
  return `${scheme}://${reachable(host)}${shown}${tail === "" ? "" : `/${tail}`}`;
}

/** An IPv6 address has colons, too: without brackets it has no port. */
function splitPort(hostPort: string): { readonly host: string; readonly port: string } {
  const match = /^(\[[^\]]*\]|[^:]*)(?::([^:]*))?$/.exec(hostPort);
  if (match === null) return { host: `[${hostPort}]`, port: "" };
  return { host: match[1] ?? "", port: match[2] ?? "" };
}

const isPort = (port: string): boolean => /^\d+$/.test(port) && Number(port) <= 65_535;

const loopback: Readonly<Record<string, string>> = {
  "": "127.0.0.1",
  "0.0.0.0": "127.0.0.1",
  "[::]": "[::1]",
};
const reachable = (host: string): string => loopback[host] ?? host;
