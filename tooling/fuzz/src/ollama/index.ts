import { ollama } from "@fullstop/provider-ollama";
import type { Frame } from "../bytes.ts";
import { lines } from "../framings/lines.ts";
import type { Protocol } from "../protocol.ts";
import { readOllama } from "./read.ts";
import { ollamaStops } from "./stops.ts";
import { ollamaReplies } from "./write.ts";

const errorLine = (error: unknown): Frame => ({ data: JSON.stringify({ error }) });

/** Ollama's `/api/chat`. */
export const ollamaChat: Protocol = {
  replies: ollamaReplies,
  read: readOllama,
  framing: lines,
  dialect: {
    stopKey: "done_reason",
    stops: ollamaStops,
    errors: [
      errorLine("an error was encountered while running the model"),
      errorLine("error parsing tool call: raw='{', err=unexpected end of JSON input"),
      errorLine("the input length exceeds the context length"),
      errorLine({ message: "It failed." }),
    ],
  },
  adapters: (fetch) => ({
    ollama: ollama("qwen3", { baseURL: "http://127.0.0.1:11434", fetch }),
    mislabels: ollama("qwen3", {
      baseURL: "http://127.0.0.1:11434",
      fetch,
      mislabelsTruncation: true,
    }),
  }),
};
