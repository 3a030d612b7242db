import { sha256 } from "./digest.ts";

/** At most 64: OpenAI, Anthropic, Mistral, Bedrock. A letter or `_` first: Google. */
const accepted = /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/;
const maxLength = 64;
const hashLength = 10;

const serverName = /^[a-zA-Z][a-zA-Z0-9_-]{0,30}$/;
/** Without `__`, and without `_` at the end, a name ends at the first `__`. */
const isServerName = (name: string): boolean =>
  serverName.test(name) && !name.includes("__") && !name.endsWith("_");

export function assertServerName(name: unknown): asserts name is string {
  if (typeof name === "string" && isServerName(name)) return;
  throw new TypeError(
    `The server name ${JSON.stringify(name)} cannot begin the name of a tool. Set \`name\` to at most 31 letters, digits, \`_\` and \`-\`, with a letter first, without \`__\`, and without \`_\` at the end.`,
  );
}

/** `server__tool`, or a readable part and a hash. The same names always give the same result. */
export async function toolNameOf(server: string, tool: string): Promise<string> {
  const whole = `${server}__${tool}`;
  if (accepted.test(whole)) return whole;
  const hash = (await sha256(whole)).slice(0, hashLength);
  const left = maxLength - server.length - "__".length - "_".length - hashLength;
  const readable = tool
    .replace(/[^a-zA-Z0-9_-]+/g, "_")
    .replace(/^_+/, "")
    .slice(0, left);
  return `${server}__${[readable.replace(/(?<![_-])[_-]+$/, ""), hash].filter(Boolean).join("_")}`;
}

/** The tools whose name an earlier one has. `onFound` gets a sentence about each. */
export function findDoubled<Tool>(
  tools: readonly { readonly tool: Tool; readonly name: string; readonly from: string }[],
  onFound: (problem: TypeError, tool: Tool) => void,
): ReadonlySet<Tool> {
  const known = new Map<string, string>();
  const doubled = new Set<Tool>();
  for (const { tool, name, from } of tools) {
    const other = known.get(name);
    if (other === undefined) {
      known.set(name, from);
      continue;
    }
    doubled.add(tool);
    onFound(
      new TypeError(
        `Two tools get the name "${name}": ${other} and ${from}. Only the first is offered. Leave one out with \`filter\`, or give the server another \`name\`.`,
      ),
      tool,
    );
  }
  return doubled;
}
