import type { Reply, Wire } from "@fullstop/conformance";
import { finalAnswer, renderAnswer } from "@fullstop/conformance/runner";
import { type Answer, type Serving, serve } from "@fullstop/conformance/server";
import { fieldsOf } from "@fullstop/core/adapter";
import type { BaseMessage } from "@langchain/core/messages";
import { type AgentMiddleware, createAgent, tool } from "langchain";
import { onTestFinished } from "vitest";
import { z } from "zod";

/** A reply, or what the server sends in its place. */
export type Said = Reply | Answer;

/** A provider on the loopback that gives replies, and then says that it is done. */
export async function provider(wire: Wire, said: readonly Said[]): Promise<Serving> {
  const serving = await serve((request, index) => {
    const reply = said[index];
    if (reply === undefined) return finalAnswer(wire, request);
    if ("chunks" in reply) return reply;
    const body = wire.whole?.(reply);
    return renderAnswer(wire, request, { frames: wire.frames(reply), body });
  });
  onTestFinished(serving.close);
  return serving;
}

/** A call of the tool `write`. */
export const writes = (path: string, id = "call_1"): Reply["blocks"][number] => ({
  name: "write",
  id,
  input: { path },
});

type Model = Parameters<typeof createAgent>[0]["model"];
interface Asked {
  readonly middleware: readonly AgentMiddleware[];
  readonly isStreamed?: boolean;
}

/** What a run of LangChain's agent did. */
interface Run {
  /** The paths that were written, and `everything` if all were removed. */
  readonly ran: readonly string[];
  /** The replies of the model. */
  readonly replies: readonly BaseMessage[];
  /** What the run showed while it went on. */
  readonly previews: readonly BaseMessage[];
}

/** Asks an agent with the tools `write` and `clear`. */
export async function ask(model: Model, { middleware, isStreamed = false }: Asked): Promise<Run> {
  const ran: string[] = [];
  const write = tool(
    async ({ path }) => {
      ran.push(path);
      return `Wrote ${path}.`;
    },
    { name: "write", description: "Write a file.", schema: z.object({ path: z.string() }) },
  );
  const clear = tool(() => ran.push("everything"), {
    name: "clear",
    description: "Remove all files.",
    schema: z.object({}),
  });
  const agent = createAgent({ model, tools: [write, clear], middleware });
  const question = { messages: [{ role: "user", content: "Write." }] };
  if (!isStreamed) return { ran, replies: repliesIn(await agent.invoke(question)), previews: [] };
  const previews: BaseMessage[] = [];
  let state: unknown;
  const stream = await agent.stream(question, { streamMode: ["messages", "values"] });
  for await (const [mode, value] of stream)
    if (mode === "values") state = value;
    else previews.push(value[0]);
  return { ran, replies: repliesIn(state), previews };
}

const repliesIn = (state: unknown): readonly BaseMessage[] =>
  (fieldsOf(state)["messages"] as readonly BaseMessage[]).filter(({ type }) => type === "ai");
