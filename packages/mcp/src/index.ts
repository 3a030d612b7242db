export { type BoundedFetchOptions, boundedFetch } from "./bounded-fetch.ts";
export type { McpQuestion } from "./input-requests.ts";
export { type McpTools, mcpTools } from "./mcp-tools.ts";
export type { Elicitation, McpOptions, ToolServer } from "./options.ts";
export { type ServerTool, serverTool } from "./server-tool.ts";
