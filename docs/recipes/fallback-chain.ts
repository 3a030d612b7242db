// Three providers, and an image that each of them sees: node fallback-chain.ts photo.png
import { readFile } from "node:fs/promises";
import { run } from "@fullstop/loop";
import { anthropic } from "@fullstop/provider-anthropic";
import { google } from "@fullstop/provider-google";
import { openai } from "@fullstop/provider-openai";

const [file = "photo.png"] = process.argv.slice(2);
const data = await readFile(file, "base64");

const agent = run({
  adapter: anthropic("claude-sonnet-5-5"),
  prompt: [
    { type: "image", mediaType: "image/png", data },
    { type: "text", text: "Which machine is this, and is its door open?" },
  ],
  recovery: {
    requests: 1, // for each adapter
    fallback: [
      // Asked if the first one is down or declines, but not if the conversation is too long for it.
      { adapter: openai("gpt-5.5"), when: ["failed", "refused", "filtered"] },
      // Asked for any cause.
      { adapter: google("gemini-3.1-pro") },
    ],
  },
  onEvent: (event) => {
    if (event.type === "request") console.log(`ask ${event.adapter.provider}`);
    if (event.type === "turn") console.log(`  ${event.turn.stopReason}`);
  },
});
const outcome = await agent.outcome();
console.log(outcome.status === "done" ? outcome.text : outcome.summary);
