import { finishedCalls } from "@fullstop/langchain";
import { ChatAnthropic } from "@langchain/anthropic";
import { type BaseMessage, HumanMessage } from "@langchain/core/messages";
import { type Ask, askAll, laterRuns, ways } from "@tooling/test/prefix-cells";
import { createAgent, tool } from "langchain";
import { expect, test } from "vitest";
import { z } from "zod";

/** An agent of LangChain: each question continues with the messages of its state. */
function createConversation(streaming: boolean) {
  const ran: string[] = [];
  const write = tool(
    async ({ path }) => {
      ran.push(path);
      return `Wrote ${path}.`;
    },
    { name: "write", description: "Write a file.", schema: z.object({ path: z.string() }) },
  );
  let messages: BaseMessage[] = [];
  const ask: Ask = async (anthropicApiUrl, question) => {
    const model = new ChatAnthropic({
      model: "claude-sonnet-5-5",
      apiKey: "key",
      anthropicApiUrl,
      streaming,
      maxRetries: 0,
      maxTokens: 1024,
    });
    const agent = createAgent({ model, tools: [write], middleware: [finishedCalls()] });
    const asked = [...messages, new HumanMessage(question)];
    try {
      ({ messages } = await agent.invoke({ messages: asked }));
    } catch {
      // The reply broke off: the same question is asked again.
    }
  };
  return { ran, ask };
}

test.each(ways)("no request is refused behind a reply: $name", async ({ stream, cell }) => {
  const { ran, ask } = createConversation(stream);
  expect(await askAll(cell, ask)).toEqual([]);
  expect(ran).toEqual([...cell.runs, ...laterRuns]);
});
