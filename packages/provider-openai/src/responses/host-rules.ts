/** What a host of the protocol does otherwise. */
export interface HostRules {
  /** The host runs custom tools itself, and what it lists beside the vendor's types: their items are its steps, not calls. */
  readonly runsCustomTools: boolean;
}
export const platform: HostRules = { runsCustomTools: false };

const rows: Readonly<Record<string, HostRules>> = {
  /** Its tools of one's own are functions; `x_search` comes as `custom_tool_call` (vercel/ai#9896). https://docs.x.ai/developers/tools/overview */
  "api.x.ai": { runsCustomTools: true },
};

/** The rules of the host that a URL names. */
export function rulesOf(baseURL: string | undefined): HostRules {
  const hostname = baseURL !== undefined && URL.canParse(baseURL) ? new URL(baseURL).hostname : "";
  return Object.hasOwn(rows, hostname) ? (rows[hostname] ?? platform) : platform;
}
