import { inBothForms, type System, streamedFirst } from "../system.ts";

const whole: readonly string[] = ["whole"];

/** The systems in Go, Rust and Java. */
export const compiledSystems: readonly System[] = [
  {
    name: "go/eino",
    title: "Eino",
    language: "Go",
    package: "github.com/cloudwego/eino",
    note: "Its Gemini model is 0.1.7, not the newest release; it is asked as gemini-2.5-flash.",
    ways: {
      "Chat, streamed": [],
      "Chat, whole": whole,
      "Gemini, streamed": ["gemini"],
      "Gemini, whole": ["gemini", ...whole],
    },
  },
  {
    name: "go/genkit",
    title: "Genkit (Go)",
    language: "Go",
    package: "github.com/firebase/genkit/go",
    ways: inBothForms(streamedFirst, ["Chat", "Anthropic", "Gemini"]),
  },
  {
    name: "go/anthropic-sdk-go",
    title: "Anthropic tool runner (Go)",
    language: "Go",
    package: "github.com/anthropics/anthropic-sdk-go",
    ways: { streamed: [], whole },
  },
  {
    name: "go/openai-go",
    title: "OpenAI SDK (Go)",
    language: "Go",
    package: "github.com/openai/openai-go/v3",
    isSampleLoop: true,
    note: "The loops of its README and examples: it has none of its own.",
    ways: { "Chat, streamed": [], "Chat, whole": whole, "Responses, whole": ["responses"] },
  },
  {
    name: "rust/rig",
    title: "Rig",
    language: "Rust",
    package: "rig-agent",
    ways: inBothForms(streamedFirst, ["Responses", "Chat", "Anthropic", "Gemini"]),
  },
  {
    name: "java/langchain4j",
    title: "LangChain4j",
    language: "Java",
    package: "langchain4j",
    note: "After a stream of Responses or Anthropic without its last event the program never ends. Its streams are read on other threads: if a stream ends with an error behind a call, a race decides whether the call runs.",
    ways: inBothForms(streamedFirst, ["Chat", "Responses", "Anthropic", "Gemini"]),
  },
];
