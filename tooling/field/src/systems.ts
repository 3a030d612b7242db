/**
 * A system that runs tool calls, and the program in `packages/conformance-cli/examples` that drives
 * it.
 */
export interface System {
  /** The folder of the program. */
  readonly name: string;
  readonly title: string;
  /** The package whose version is reported; none if the system is not from npm. */
  readonly package?: string;
  /** A note for the reader of the report. */
  readonly note?: string;
  /** The command that starts it in its folder. */
  readonly start: readonly string[];
  /** The measured configurations, and the arguments that select them. */
  readonly ways: Readonly<Record<string, readonly string[]>>;
}

const node: readonly string[] = ["node", "agent.mjs"];
const pieces: System["ways"] = { streamed: [], whole: ["whole"] };

/** The measured systems, in the order of the report. */
export const systems: readonly System[] = [
  {
    name: "ai-sdk",
    title: "AI SDK",
    package: "ai",
    start: node,
    ways: { Responses: [], Chat: ["chat"], Anthropic: ["anthropic"] },
  },
  {
    name: "langchain",
    title: "LangChain",
    package: "langchain",
    start: node,
    ways: { Chat: [], Responses: ["responses"] },
  },
  {
    name: "openai-agents",
    title: "OpenAI Agents",
    package: "@openai/agents",
    start: node,
    ways: { Responses: [], Chat: ["chat"] },
  },
  {
    name: "tanstack",
    title: "TanStack AI",
    package: "@tanstack/ai",
    start: node,
    ways: { Responses: [], Chat: ["chat"], Anthropic: ["anthropic"] },
  },
  {
    name: "pi",
    title: "pi",
    package: "@earendil-works/pi-agent-core",
    start: node,
    ways: { Responses: [], Anthropic: ["anthropic"] },
    note: "Not the newest release: npm does not find all dependencies of 1.5.2.",
  },
  {
    name: "anthropic-tool-runner",
    title: "Anthropic toolRunner",
    package: "@anthropic-ai/sdk",
    start: node,
    ways: pieces,
  },
  {
    name: "openai-run-tools",
    title: "OpenAI runTools",
    package: "openai",
    start: node,
    ways: pieces,
  },
  {
    name: "google-genai",
    title: "Google automatic calling",
    package: "@google/genai",
    start: node,
    ways: pieces,
  },
  { name: "python", title: "Python", start: ["python3", "agent.py"], ways: { whole: [] } },
  { name: "naive", title: "Naive agent", start: node, ways: { streamed: [] } },
  {
    name: "fullstop",
    title: "Fullstop",
    package: "@fullstop/loop",
    start: ["node", "--conditions=@fullstop/source", "agent.ts"],
    ways: { Anthropic: [], Responses: ["openai"], Chat: ["openai-chat"], Gemini: ["google"] },
  },
];
