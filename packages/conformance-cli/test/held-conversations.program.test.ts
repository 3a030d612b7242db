import { answersWithOneCall } from "@fullstop/conformance/runner";
import { wires } from "@fullstop/conformance/wires";
import { expect, test } from "vitest";
import { agentSubject } from "../src/agent/subject.ts";

/** An agent whose conversation the provider keeps, and another one that it has in the background. */
const program = `
  import { writeFileSync } from "node:fs";
  const ask = async (body) => {
    const url = process.env.ANTHROPIC_BASE_URL + "/v1/messages";
    const request = { model: "claude-sonnet-5-5", max_tokens: 1024, ...body };
    return (await fetch(url, { method: "POST", body: JSON.stringify(request) })).json();
  };
  const schema = { type: "object", properties: { path: { type: "string" }, content: { type: "string" } } };
  const goOn = ({ id }, content) => ({ messages: [{ role: "user", content }], thread: { type: "continue", previous_message_id: id } });
  const main = await ask({ tools: [{ name: "write", description: "Write a file.", input_schema: schema }],
    messages: [{ role: "user", content: "Write the file." }], thread: { type: "create" } });
  const aside = await ask({ system: "Extract what is worth remembering.", thread: { type: "create" },
    tools: [{ name: "remember", description: "Keep a note.", input_schema: schema }], messages: [{ role: "user", content: "What was said?" }] });
  const calls = main.content.filter(({ type }) => type === "tool_use");
  for (const { input } of calls) writeFileSync(input.path, input.content);
  if (calls.length > 0) {
    const results = calls.map(({ id }) => ({ type: "tool_result", tool_use_id: id, content: "Done." }));
    const next = await ask(goOn(main, results));
    await ask(goOn(aside, "And what else?"));
    await ask(goOn(next, "Go on."));
  }`;

test("a request belongs to the conversation of the reply that it goes on from", async () => {
  const command = [process.execPath, "--input-type=module", "-e", program];
  const { runner } = await agentSubject(command, { tool: "write" });
  const { requests } = await runner.run(answersWithOneCall(wires.anthropic, runner.calls));
  expect(requests.map(({ body }) => JSON.parse(body).messages[0].content)).toEqual([
    "Write the file.",
    [expect.objectContaining({ type: "tool_result" })],
    "Go on.",
  ]);
});
