import { run } from "@fullstop/loop";
import { mcpTools } from "@fullstop/mcp";
import { openai } from "@fullstop/provider-openai";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

const transport = () => new StdioClientTransport({ command: "mcp-server-everything" });
const mcp = await mcpTools([{ name: "everything", transport }]);
const agent = run({
  adapter: openai("gpt-5.5"),
  tools: mcp.tools,
  approve: () => true, // without it the run waits for a decision about each call
  prompt: "Echo hello.",
});
console.log(await agent.text());
await mcp.close();
