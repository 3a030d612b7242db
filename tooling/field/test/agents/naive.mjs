// An agent of Chat Completions that runs what it gets: it repairs a cut input, does not look at the
// stop reason, and sends its request again after a broken connection, although the call ran.
// `idle` makes the same requests and runs nothing. `endless` never ends.
import { execFileSync } from "node:child_process";

const [mode] = process.argv.slice(2);
const tools = [{ type: "function", function: { name: "bash", parameters: { type: "object" } } }];
const messages = [{ role: "user", content: "Write the file." }];

async function ask() {
  const response = await fetch(`${process.env.OPENAI_BASE_URL}/chat/completions`, {
    method: "POST",
    body: JSON.stringify({ model: "naive", stream: true, messages, tools }),
  });
  const call = { id: "", input: "" };
  let broken = false;
  let text = "";
  try {
    for await (const piece of response.body.pipeThrough(new TextDecoderStream())) text += piece;
  } catch {
    broken = true;
  }
  for (const [, data] of text.matchAll(/^data: (\{.*)$/gm)) {
    const [part] = JSON.parse(data).choices[0]?.delta.tool_calls ?? [];
    call.id ||= part?.id ?? "";
    call.input += part?.function.arguments ?? "";
  }
  return { ...call, broken };
}

const parse = (input) => {
  try {
    return JSON.parse(input);
  } catch {
    return JSON.parse(`${input}"}`);
  }
};

for (;;) {
  const { id, input, broken } = await ask();
  if (input !== "" && mode !== "idle") execFileSync("sh", ["-c", parse(input).command]);
  if (mode === "endless") await new Promise((resolve) => setTimeout(resolve, 1e9));
  if (broken) continue;
  if (input === "" || mode === "idle") break;
  const call = { id, type: "function", function: { name: "bash", arguments: input } };
  messages.push({ role: "assistant", tool_calls: [call] });
  messages.push({ role: "tool", tool_call_id: id, content: "" });
}
console.log(`\u001b[31mDone\u001b[0m in ${process.cwd()} of ${process.env.HOME}.`);
process.exit(mode === "idle" ? 3 : 0);
