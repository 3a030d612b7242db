import type { ToolSpec, TurnRequest } from "@fullstop/core";

/** The cap that every request sends. */
export const cap = 1000;

const path = { path: { type: "string" } };
const tools: readonly ToolSpec[] = [
  { name: "read", description: "Reads.", inputSchema: { type: "object", properties: path } },
  {
    name: "write",
    description: "Writes.",
    inputSchema: { type: "object", properties: path, required: ["path"] },
  },
  { name: "now", description: "Tells the time.", inputSchema: { type: "object", properties: {} } },
  { name: "patch", description: "Patches.", inputSchema: "text" },
];

/** The request of every reply. */
export const request: TurnRequest = {
  messages: [{ role: "user", content: "Go on." }],
  maxTokens: cap,
  tools,
};

/**
 * If the input of a tool may be empty: `never`, because a property is required; `always`, because
 * the tool has no properties.
 */
const empty: Readonly<Record<string, "never" | "always">> = { write: "never", now: "always" };
export const emptyInput = (name: string): "never" | "always" | "perhaps" =>
  empty[name] ?? "perhaps";
export const isOffered = (name: string): boolean => tools.some((tool) => tool.name === name);
