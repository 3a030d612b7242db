import { type Folder, inBothForms, streamedFirst, wholeFirst } from "../system.ts";

/** The systems from PyPI, each by its folder. */
export const pythonSystems: Readonly<Record<string, Folder>> = {
  "openai-agents": {
    title: "OpenAI Agents (Python)",
    ways: inBothForms(streamedFirst, ["Responses", "Chat"]),
  },
  "pydantic-ai": {
    title: "Pydantic AI",
    package: "pydantic-ai-slim",
    note: "Installed as pydantic-ai-slim with the extras of three providers: pip finds no release of pydantic-evals that the newest pydantic-ai requires.",
    ways: inBothForms(streamedFirst, ["Responses", "Chat", "Anthropic", "Gemini"]),
  },
  langchain: {
    title: "LangChain (Python)",
    ways: inBothForms(streamedFirst, ["Chat", "Responses", "Anthropic", "Gemini"]),
  },
  "google-adk": {
    title: "Google ADK (Python)",
    ways: { "Gemini, streamed": [], "Gemini, whole": ["whole"] },
  },
  strands: {
    title: "Strands (Python)",
    package: "strands-agents",
    ways: {
      "Chat, streamed": ["chat"],
      "Chat, whole": ["chat", "whole"],
      "Responses, streamed": ["responses"],
      "Anthropic, streamed": ["anthropic"],
      "Gemini, streamed": ["gemini"],
    },
  },
  agno: {
    title: "Agno",
    ways: inBothForms(streamedFirst, ["Responses", "Chat", "Anthropic", "Gemini"]),
  },
  crewai: { title: "CrewAI", ways: inBothForms(wholeFirst, ["Chat", "Anthropic", "Gemini"]) },
  litellm: {
    title: "LiteLLM",
    isSampleLoop: true,
    note: "It has no loop. Its documents make two requests; the program repeats them until the model is done. With its extra `mcp`, without which this release raises ModuleNotFoundError if a request has tools.",
    ways: inBothForms(streamedFirst, ["Chat", "Anthropic", "Gemini"]),
  },
  "llama-index": {
    title: "LlamaIndex",
    package: "llama-index-core",
    ways: inBothForms(streamedFirst, ["Chat", "Responses", "Anthropic", "Gemini"]),
    note: "With anthropic below 1: its model for Anthropic does not start with 1.17 and 2.12.",
  },
  haystack: {
    title: "Haystack",
    package: "haystack-ai",
    ways: inBothForms(wholeFirst, ["Chat", "Responses", "Anthropic", "Gemini"]),
  },
  ag2: {
    title: "AG2",
    ways: inBothForms(wholeFirst, ["Responses", "Chat", "Anthropic", "Gemini"]),
  },
  "agent-framework": {
    title: "Microsoft Agent Framework",
    package: "agent-framework-core",
    ways: inBothForms(streamedFirst, ["Responses", "Chat"]),
  },
  autogen: {
    title: "AutoGen",
    package: "autogen-agentchat",
    note: "With up to ten rounds of tool calls: by default it makes one and ends. Its client for Anthropic does not work with the current release of the SDK of Anthropic.",
    ways: { "Chat, whole": [], "Chat, streamed": ["streamed"] },
  },
  smolagents: {
    title: "smolagents",
    finalTool: "final_answer",
    ways: { "Chat, whole": [], "Chat, streamed": ["streamed"] },
  },
  anthropic: {
    title: "Anthropic tool runner (Python)",
    ways: { "Anthropic, streamed": [], "Anthropic, whole": ["whole"] },
  },
  "google-genai": {
    title: "Google automatic calling (Python)",
    ways: { "Gemini, streamed": [], "Gemini, whole": ["whole"] },
  },
  "semantic-kernel": {
    title: "Semantic Kernel",
    ways: inBothForms(wholeFirst, ["Chat", "Anthropic"]),
  },
  mirascope: {
    title: "Mirascope",
    isSampleLoop: true,
    note: "The loop of its documents: it has none of its own.",
    ways: inBothForms(streamedFirst, ["Responses", "Chat"]),
  },
  agentscope: {
    title: "AgentScope",
    note: "With a permission for its tool: by default it asks a person.",
    ways: inBothForms(streamedFirst, ["Chat", "Anthropic"]),
  },
  aisuite: {
    title: "aisuite",
    note: "Its automatic calling does not stream.",
    ways: { "Chat, whole": [], "Anthropic, whole": ["anthropic"] },
  },
  griptape: { title: "Griptape", ways: inBothForms(wholeFirst, ["Chat", "Anthropic"]) },
  "camel-ai": {
    title: "CAMEL",
    note: "With mcp below 2: it does not start with 2.",
    ways: inBothForms(wholeFirst, ["Chat", "Anthropic"]),
  },
  "qwen-agent": {
    title: "Qwen-Agent",
    note: "With numpy, python-dateutil, soundfile and tqdm, which this release imports and does not require, and with `use_raw_api`: by default it writes tools and calls into texts. It always streams.",
    ways: { "Chat, streamed": [] },
  },
  langroid: {
    title: "langroid",
    note: "With `use_functions_api`: by default it writes tools and calls into texts. It still searches texts for calls, which is its default (`search_for_tools_everywhere`): of the two texts that end in a call, it runs the one whose JSON is the input of its tool, and that reply is not judged.",
    ways: inBothForms(streamedFirst, ["Chat"]),
  },
  upsonic: { title: "Upsonic", ways: inBothForms(wholeFirst, ["Chat", "Anthropic"]) },
  dspy: {
    title: "DSPy",
    note: "ReActV2 with `use_native_function_calling`: by default it writes tools and calls into texts. It is asked as gpt-4.1: it refuses newer models with a cap below 16,000. Its answer is a call of `submit` and never a text: after a text it asks again. Over Anthropic it then forces that call, LiteLLM refuses to, and the program ends with an exception.",
    finalTool: "submit",
    ways: { "Chat, whole": [], "Anthropic, whole": ["anthropic"], "Gemini, whole": ["gemini"] },
  },
};
