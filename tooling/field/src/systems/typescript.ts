import type { System } from "../system.ts";

const pieces: System["ways"] = { streamed: [], whole: ["whole"] };

/** The systems from npm, and the one of this repository. */
export const typescriptSystems: readonly System[] = [
  {
    name: "ai-sdk",
    title: "AI SDK",
    language: "TypeScript",
    package: "ai",
    ways: { Responses: [], Chat: ["chat"], Anthropic: ["anthropic"] },
  },
  {
    name: "langchain",
    title: "LangChain",
    language: "TypeScript",
    package: "langchain",
    ways: { Chat: [], Responses: ["responses"] },
  },
  {
    name: "openai-agents",
    title: "OpenAI Agents",
    language: "TypeScript",
    package: "@openai/agents",
    ways: { Responses: [], Chat: ["chat"] },
  },
  {
    name: "tanstack",
    title: "TanStack AI",
    language: "TypeScript",
    package: "@tanstack/ai",
    ways: { Responses: [], Chat: ["chat"], Anthropic: ["anthropic"] },
  },
  {
    name: "pi",
    title: "pi",
    language: "TypeScript",
    package: "@earendil-works/pi-agent-core",
    ways: { Responses: [], Anthropic: ["anthropic"] },
    note: "Not the newest release: npm does not find all dependencies of 1.5.2.",
  },
  {
    name: "anthropic-tool-runner",
    title: "Anthropic toolRunner",
    language: "TypeScript",
    package: "@anthropic-ai/sdk",
    ways: pieces,
    note: "With `thread: false`, so that each request contains the whole conversation.",
  },
  {
    name: "openai-run-tools",
    title: "OpenAI runTools",
    language: "TypeScript",
    package: "openai",
    ways: pieces,
  },
  {
    name: "google-genai",
    title: "Google automatic calling",
    language: "TypeScript",
    package: "@google/genai",
    ways: pieces,
  },
  { name: "naive", title: "Naive agent", language: "TypeScript", ways: { streamed: [] } },
  {
    name: "fullstop",
    title: "Fullstop",
    language: "TypeScript",
    package: "@fullstop/loop",
    start: ["node", "--conditions=@fullstop/source", "agent.ts"],
    ways: { Anthropic: [], Responses: ["openai"], Chat: ["openai-chat"], Gemini: ["google"] },
  },
];
