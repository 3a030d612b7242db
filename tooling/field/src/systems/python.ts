import { inBothForms, type System } from "../system.ts";

const streamedFirst = ["streamed", "whole"] as const;
const wholeFirst = ["whole", "streamed"] as const;

/** The systems from PyPI, and one without a package. */
export const pythonSystems: readonly System[] = [
  {
    name: "python/openai-agents",
    title: "OpenAI Agents (Python)",
    language: "Python",
    package: "openai-agents",
    ways: inBothForms(streamedFirst, ["Responses", "Chat"]),
  },
  {
    name: "python/pydantic-ai",
    title: "Pydantic AI",
    language: "Python",
    package: "pydantic-ai",
    ways: inBothForms(streamedFirst, ["Responses", "Chat", "Anthropic", "Gemini"]),
  },
  {
    name: "python/langchain",
    title: "LangChain (Python)",
    language: "Python",
    package: "langchain",
    ways: inBothForms(streamedFirst, ["Chat", "Responses", "Anthropic", "Gemini"]),
  },
  {
    name: "python/google-adk",
    title: "Google ADK (Python)",
    language: "Python",
    package: "google-adk",
    ways: {
      "Gemini, streamed": [],
      "Gemini, whole": ["whole"],
    },
  },
  {
    name: "python/strands",
    title: "Strands (Python)",
    language: "Python",
    package: "strands-agents",
    ways: {
      "Chat, streamed": ["chat"],
      "Chat, whole": ["chat", "whole"],
      "Responses, streamed": ["responses"],
      "Anthropic, streamed": ["anthropic"],
      "Gemini, streamed": ["gemini"],
    },
  },
  {
    name: "python/agno",
    title: "Agno",
    language: "Python",
    package: "agno",
    ways: inBothForms(streamedFirst, ["Responses", "Chat", "Anthropic", "Gemini"]),
  },
  {
    name: "python/crewai",
    title: "CrewAI",
    language: "Python",
    package: "crewai",
    ways: inBothForms(wholeFirst, ["Chat", "Anthropic", "Gemini"]),
  },
  {
    name: "python/litellm",
    title: "LiteLLM",
    language: "Python",
    package: "litellm",
    note: "The loop of its documentation, repeated until the model is done. With its extra `mcp`, without which this release raises ModuleNotFoundError if a request has tools.",
    ways: inBothForms(streamedFirst, ["Chat", "Anthropic", "Gemini"]),
  },
  {
    name: "python/llama-index",
    title: "LlamaIndex",
    language: "Python",
    package: "llama-index-core",
    ways: inBothForms(streamedFirst, ["Chat", "Responses", "Anthropic", "Gemini"]),
    note: "With anthropic below 1: its model for Anthropic does not start with 1.17 and 2.12.",
  },
  {
    name: "python/haystack",
    title: "Haystack",
    language: "Python",
    package: "haystack-ai",
    ways: inBothForms(wholeFirst, ["Chat", "Responses", "Anthropic", "Gemini"]),
  },
  {
    name: "python/ag2",
    title: "AG2",
    language: "Python",
    package: "ag2",
    ways: inBothForms(wholeFirst, ["Responses", "Chat", "Anthropic", "Gemini"]),
  },
  {
    name: "python/agent-framework",
    title: "Microsoft Agent Framework",
    language: "Python",
    package: "agent-framework-core",
    ways: inBothForms(streamedFirst, ["Responses", "Chat"]),
  },
  {
    name: "python/autogen",
    title: "AutoGen",
    language: "Python",
    package: "autogen-agentchat",
    note: "With up to ten rounds of tool calls: by default it makes one and ends. Its client for Anthropic does not work with the current release of the SDK of Anthropic.",
    ways: { "Chat, whole": [], "Chat, streamed": ["streamed"] },
  },
  {
    name: "python/smolagents",
    title: "smolagents",
    language: "Python",
    package: "smolagents",
    finalTool: "final_answer",
    ways: { "Chat, whole": [], "Chat, streamed": ["streamed"] },
  },
  {
    name: "python/anthropic",
    title: "Anthropic tool runner (Python)",
    language: "Python",
    package: "anthropic",
    ways: {
      "Anthropic, streamed": [],
      "Anthropic, whole": ["whole"],
    },
  },
  {
    name: "python/google-genai",
    title: "Google automatic calling (Python)",
    language: "Python",
    package: "google-genai",
    ways: {
      "Gemini, streamed": [],
      "Gemini, whole": ["whole"],
    },
  },
  { name: "python", title: "Python", language: "Python", ways: { whole: [] } },
];
