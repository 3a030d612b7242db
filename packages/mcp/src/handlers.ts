import type { Client, ElicitRequestParams } from "@modelcontextprotocol/client";
import type { Prepare } from "./connection.ts";
import { checkedAnswer } from "./elicit.ts";
import type { McpOptions, ToolServer } from "./options.ts";
import { createMessage } from "./sampling.ts";

/** A server of 2025 cannot wait for days: without an answer the question is cancelled. */
export function liveHandlers({ name: server }: ToolServer, options: McpOptions): Prepare {
  const { elicit, sampling } = options;
  return (client: Client): void => {
    client.setRequestHandler("elicitation/create", async ({ params }, { mcpReq }) => {
      const question = { server, tool: undefined, params: params as ElicitRequestParams };
      const answer = await elicit?.(question, { signal: mcpReq.signal });
      return answer === undefined ? { action: "cancel" } : checkedAnswer(answer, question.params);
    });
    if (sampling !== undefined)
      client.setRequestHandler("sampling/createMessage", async ({ params }, { mcpReq }) =>
        createMessage({ server, params }, sampling, mcpReq.signal),
      );
  };
}
