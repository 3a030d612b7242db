import { judge, report, type Verdict } from "@fullstop/conformance";
import { expect, test } from "vitest";
import { agentSubject } from "../src/agent/subject.ts";

/**
 * An agent over Messages that does not stream, and is careful but for its fault. Its one tool writes
 * a file, or runs a command. `fault` is code that may change `calls` or `runs`.
 */
const agentWith = (tool: "write" | "shell", fault = ""): readonly string[] => [
  process.execPath,
  "--input-type=module",
  "-e",
  `
  import { writeFileSync } from "node:fs";
  import { execFileSync } from "node:child_process";
  const text = { type: "string" };
  const properties = ${tool === "write" ? "{ path: text, content: text }" : "{ command: text }"};
  const schema = { type: "object", properties, required: Object.keys(properties) };
  const tools = [{ name: "act", description: "Act.", input_schema: schema }];
  const act = ({ path, content, command }) =>
    command === undefined ? writeFileSync(path, content) : execFileSync("sh", ["-c", command]);
  const messages = [{ role: "user", content: "Go." }];
  for (let n = 0; n < 4; n++) {
    const body = JSON.stringify({ model: "claude-x", max_tokens: 900, messages, tools });
    const reply = await (await fetch(process.env.ANTHROPIC_BASE_URL + "/v1/messages", { method: "POST", body })).json();
    const calls = (reply.content ?? []).filter(({ type }) => type === "tool_use");
    let most = 99;
    let runs = reply.stop_reason === "tool_use";
    ${fault}
    if (!runs || calls.length === 0 || calls.some(({ input }) => typeof input !== "object")) break;
    const content = calls.map(({ id, input }, index) => {
      if (index < most) act(input);
      return { type: "tool_result", tool_use_id: id, content: "Done." };
    });
    messages.push({ role: "assistant", content: reply.content }, { role: "user", content });
  }`,
];

async function verdictOf(command: readonly string[], only: string): Promise<Verdict> {
  const subject = await agentSubject(command, { timeoutMs: 60_000 });
  for await (const verdict of judge(subject, { only, jobs: 2 })) return verdict;
  throw new Error(`no verdict on ${only}`);
}

const shortenFields = `for (const call of calls)
  for (const [key, value] of Object.entries(call.input)) call.input[key] = value.slice(0, 400);`;

test.for<["write" | "shell", fault: string, clause: string, ids: readonly string[]]>([
  ["write", "", "stop.whole", []],
  ["shell", "", "stop.whole", []],
  ["write", "most = 2;", "stop.whole", ["three-calls"]],
  ["shell", "most = 2;", "stop.whole", ["three-calls"]],
  ["write", shortenFields, "stop.whole", ["long-input"]],
  ["shell", shortenFields, "stop.whole", ["long-input"]],
  [
    "write",
    "runs ||= reply.stop_reason === 'max_tokens' && reply.usage.output_tokens < 900;",
    "stop.words",
    ["max_tokens-small-usage"],
  ],
  ["write", "runs ||= reply.stop_reason === null;", "stop.no-word", ["missing-stop"]],
])("an agent with the tool %s and the fault %s: %s", async ([tool, fault, clause, ids]) => {
  const verdict = await verdictOf(agentWith(tool, fault), clause);
  expect(
    verdict.broken.map(({ id }) => id),
    report(verdict),
  ).toEqual(ids);
});

test("a tool that takes no long text is not asked about one", async () => {
  const [path] = [agentWith("write").join("\n")];
  const code = path.replace("{ path: text, content: text }", "{ path: text }");
  const command = [
    process.execPath,
    "--input-type=module",
    "-e",
    code.split("\n").slice(3).join("\n"),
  ];
  const subject = await agentSubject(command.map((part) => part.replace("content)", "path)")));
  expect(subject.runner.longCall).toBe(undefined);
});
