import { appendFileSync } from "node:fs";
import { inputRequired, McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";

/** A server of the protocol of 2026 over stdio. `pay` writes a line, and the process is gone. */
const [file = ""] = process.argv.slice(2);
serveStdio(() => {
  const server = new McpServer({ name: "stdio", version: "1.0.0" });
  server.registerTool("pay", {}, () => {
    appendFileSync(file, "paid\n");
    process.kill(process.pid, "SIGKILL");
    return { content: [] };
  });
  server.registerTool("era", {}, ({ mcpReq }) => {
    if (mcpReq.inputResponses?.["ask"] === undefined)
      return inputRequired({
        inputRequests: {
          ask: inputRequired.elicitUrl({ url: "https://a.example", message: "Open." }),
        },
      });
    return { content: [{ type: "text", text: "answered" }] };
  });
  return server;
});
