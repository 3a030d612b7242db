// A client of generateContent that spells every field in snake_case, as google-genai for Python and
// litellm do, and asks for its model first.
import { writeFileSync } from "node:fs";

const server = process.env.GOOGLE_GEMINI_BASE_URL;
const model = await fetch(`${server}/v1beta/models/gemini-2.5-pro`);
if (!model.ok || (await model.json()).name !== "models/gemini-2.5-pro") process.exit(1);
const properties = { file_path: { type: "string" }, content: { type: "string" } };
const write = {
  name: "write",
  description: "Write a file.",
  parameters_json_schema: {
    type: "object",
    properties,
    required: ["file_path", "content"],
  },
};
const contents = [{ role: "user", parts: [{ text: "Write the file." }] }];
for (;;) {
  const body = JSON.stringify({
    contents,
    system_instruction: { parts: [{ text: "You write files." }] },
    tools: [{ function_declarations: [write] }],
    tool_config: { function_calling_config: { mode: "AUTO" } },
    generation_config: { max_output_tokens: 1024 },
  });
  const path = "/v1beta/models/gemini-2.5-pro:generateContent";
  const response = await fetch(server + path, { method: "POST", body });
  const { candidates } = await response.json();
  const { content, finishReason } = candidates[0];
  const calls = content.parts.filter(({ functionCall }) => functionCall);
  if (finishReason !== "STOP" || calls.length === 0) break;
  for (const { functionCall } of calls)
    writeFileSync(functionCall.args.file_path, functionCall.args.content);
  const asked = content.parts.map(({ functionCall, thoughtSignature, text }) => ({
    ...(text !== undefined && { text }),
    ...(functionCall && { function_call: functionCall }),
    ...(thoughtSignature && { thought_signature: thoughtSignature }),
  }));
  const results = calls.map(({ functionCall: { id, name } }) => ({
    function_response: { id, name, response: { result: "Written." } },
  }));
  contents.push({ role: "model", parts: asked }, { role: "user", parts: results });
}
