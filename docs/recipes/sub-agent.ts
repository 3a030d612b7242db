// An agent that lets another one do a part of the work. Kill it at any point, and start it again:
// what ended is not repeated, in both agents. node sub-agent.ts
import { fileJournal } from "@fullstop/journal-file";
import { agentTool, run, tool } from "@fullstop/loop";
import { anthropic } from "@fullstop/provider-anthropic";
import { z } from "zod";

const lookUp = tool({
  name: "look_up",
  description: "Look up the timetable of a line.",
  inputSchema: z.object({ line: z.string() }),
  execute: async ({ line }) => {
    console.log(`looked up ${line}`);
    return `Line ${line} leaves at 9:40.`;
  },
});

/** The model sees a tool. Each call is a conversation of its own: only its answer comes back. */
const research = agentTool({
  name: "research",
  description: "Let a researcher answer one question about trains.",
  inputSchema: z.object({ question: z.string() }),
  run: ({ question }) => ({
    adapter: anthropic("claude-haiku-4-5"),
    system: "You answer one question about trains in one sentence.",
    tools: [lookUp],
    prompt: question,
    limits: { turns: 10 },
  }),
});

const agent = run({
  adapter: anthropic("claude-sonnet-5-5"),
  tools: [research],
  prompt: "Plan a trip from Oslo to Bergen.",
  limits: { outputTokens: 20_000 }, // of both agents together
  journal: { store: fileJournal("trip.jsonl"), runId: "trip" },
});
for await (const event of agent) {
  // The path has the keys of the calls around an event. It is empty for the run itself.
  const indent = "  ".repeat(event.path.length);
  if (event.type === "turn")
    console.log(`${indent}${event.turn.stopReason}${event.replayed ? " (from the journal)" : ""}`);
}
const { text, summary } = await agent.outcome();
console.log(text || summary);
