// An agent over Gemini's Interactions, with Google's SDK. `kept`: the API keeps the conversation.
// `careless`: it runs the calls of every reply.
import { writeFileSync } from "node:fs";
import { GoogleGenAI } from "@google/genai";

const isKept = process.argv.includes("kept");
const isCareless = process.argv.includes("careless");
const { interactions } = new GoogleGenAI({
  apiKey: process.env.GEMINI_API_KEY,
  httpOptions: { baseUrl: process.env.GOOGLE_GEMINI_BASE_URL },
});
const properties = { file_path: { type: "string" }, content: { type: "string" } };
const parameters = { type: "object", properties, required: ["file_path", "content"] };
const write = { type: "function", name: "write", description: "Write a file.", parameters };

let input = [{ type: "user_input", content: [{ type: "text", text: "Write the file." }] }];
const cap = 1024;
let previous;
for (;;) {
  const { id, status, usage, steps } = await interactions.create(
    {
      model: "gemini-3.8-flash",
      system_instruction: "You write files.",
      input,
      tools: [write],
      generation_config: { max_output_tokens: cap },
      ...(isKept ? { previous_interaction_id: previous } : { store: false }),
    },
    { retries: { strategy: "none" } },
  );
  const calls = steps.filter(({ type }) => type === "function_call");
  const isWhole = status === "requires_action" && usage.total_output_tokens < cap;
  if (calls.length === 0 || !(isCareless || isWhole)) break;
  for (const call of calls) writeFileSync(call.arguments.file_path, call.arguments.content);
  const results = calls.map(({ id: of, name }) => ({
    type: "function_result",
    call_id: of,
    name,
    result: "Written.",
  }));
  previous = id;
  input = isKept ? results : [...input, ...steps, ...results];
}
