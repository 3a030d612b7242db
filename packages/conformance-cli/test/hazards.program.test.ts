import { fileURLToPath } from "node:url";
import { judge, report, type Verdict } from "@fullstop/conformance";
import { expect, test } from "vitest";
import { agentSubject } from "../src/agent/subject.ts";

async function judgeOne(command: readonly string[], only: string): Promise<Verdict> {
  for await (const verdict of judge(await agentSubject(command), { only, jobs: 2 })) return verdict;
  throw new Error(`${only} was not asked.`);
}

/** An agent over Chat Completions, not streamed. `run` runs an input, `choose` decides about a reply. */
const chatAgent = (parts: { run: string; choose?: string }): readonly string[] => [
  process.execPath,
  "--input-type=module",
  "-e",
  `import { appendFileSync, writeFileSync } from "node:fs";
  const properties = { title: { type: "string" }, content: { type: "string" } };
  const tools = [{ type: "function", function: { name: "note", parameters: { type: "object", properties } } }];
  const messages = [{ role: "user", content: "Note it." }];
  let max_completion_tokens = 32_000;
  let discarded = 0;
  const repair = (text) => {
    for (const end of ["", '"}', "}"]) try { return JSON.parse(text + end); } catch {}
  };
  const isWhole = ({ finish_reason, message }) => finish_reason !== "length" &&
    message.tool_calls.every((call) => { try { return JSON.parse(call.function.arguments); } catch { return false; } });
  for (;;) {
    const body = JSON.stringify({ model: "gpt", max_completion_tokens, messages, tools });
    const reply = await (await fetch(process.env.OPENAI_BASE_URL + "/chat/completions", { method: "POST", body })).json();
    const [choice] = reply.choices;
    const calls = choice.message.tool_calls ?? [];
    if (calls.length === 0) break;
    ${parts.choose ?? ""}
    messages.push(choice.message);
    for (const { id, function: { arguments: text } } of calls) {
      const { title, content } = repair(text);
      ${parts.run};
      messages.push({ role: "tool", tool_call_id: id, content: "Noted." });
    }
  }`,
];

const discardsOnce =
  "if (!isWhole(choice) && discarded++ === 0) { max_completion_tokens *= 2; continue; }";

test("an agent that repairs and runs the second cut reply is accused, damage first", async () => {
  const agent = chatAgent({ run: `writeFileSync(title, content)`, choose: discardsOnce });
  const cut = await judgeOne(agent, "call.cut-input");
  expect(cut.broken).toMatchObject([
    { id: "three-quarters", severity: "damaged" },
    { id: "last-brace-lost", severity: "ran" },
    { id: "long-cut", severity: "ran" },
  ]);
  expect(cut.broken[0]?.actual).toMatch(/runs canary-1.*: "canary-1-a/);
  const words = await judgeOne(agent, "stop.words");
  expect(words.broken.slice(0, 2)).toMatchObject([
    { id: "length-cut-input", severity: "damaged" },
    { severity: "ran" },
  ]);
});

test.for(["appendFileSync", "writeFileSync"])(
  "two parallel calls that write one shared file with %s are seen to run",
  async (write) => {
    const agent = chatAgent({ run: `${write}("notes.txt", content + "\\n")` });
    const verdict = await judgeOne(agent, "stop.whole");
    expect(verdict.status, report(verdict)).toBe("kept");
  },
);

test("in a shared file a shorter text is damage", async () => {
  const agent = chatAgent({ run: `appendFileSync("notes.txt", content + "\\n")` });
  const cut = await judgeOne(agent, "call.cut-input");
  expect(cut.broken[0]).toMatchObject({ id: "three-quarters", severity: "damaged" });
  expect(cut.broken[0]?.actual).toContain('runs notes.txt: "canary-1-a');
});

test("a file without any trace of a call is not taken for its effect", async () => {
  const logs = `if (!isWhole(choice)) { writeFileSync("error.log", "a bad reply"); break; }`;
  const agent = chatAgent({ run: `writeFileSync(title, content)`, choose: logs });
  const verdict = await judgeOne(agent, "call.cut-input");
  expect(verdict.status, report(verdict)).toBe("kept");
});

test("a call that loses its input is seen by the result that says it ran", async () => {
  const empties = `if (!isWhole(choice)) for (const call of calls) call.function.arguments = "{}";`;
  const run = `writeFileSync(title ?? "unnamed", content ?? "")`;
  const verdict = await judgeOne(chatAgent({ run, choose: empties }), "call.cut-input");
  expect(verdict.broken[0]).toMatchObject({ severity: "damaged", actual: 'runs unnamed: ""' });
});

const retryingPath = fileURLToPath(new URL("retrying-agent.mjs", import.meta.url));
const retrying = (...args: readonly string[]): readonly string[] => [
  process.execPath,
  retryingPath,
  ...args,
];

test("an agent that runs the call of a broken reply and asks again runs it twice", async () => {
  const { broken } = await judgeOne(retrying("shell", "runs-broken-calls"), "recovery.once");
  expect(broken).toMatchObject([
    { id: "call-repeated", severity: "ran", actual: expect.stringContaining("(2 times)") },
    { id: "call-replaced", severity: "ran" },
  ]);
});

test("a tool that overwrites its file shows a second run by the call that replaced the first", async () => {
  const { broken } = await judgeOne(retrying("write", "runs-broken-calls"), "recovery.once");
  expect(broken.map(({ id }) => id)).toContain("call-replaced");
});

test("an agent that asks again and runs one call keeps the clause, as far as runs can be counted", async () => {
  const shell = await judgeOne(retrying("shell"), "recovery.once");
  expect(shell, report(shell)).toMatchObject({ status: "kept", checks: 2 });
  const write = await judgeOne(retrying("write"), "recovery.once");
  expect(write, report(write)).toMatchObject({ status: "kept", checks: 1 });
  expect(write.reason).toContain("the tool may overwrite its file");
});

test("an agent that does not ask again cannot be asked", async () => {
  const verdict = await judgeOne(retrying("shell", "gives-up"), "recovery.once");
  expect(verdict.status).toBe("not-asked");
  expect(verdict.reason).toContain("it did not ask again after the connection broke");
});

test("an agent that begins again after failed requests runs the call again", async () => {
  const { broken } = await judgeOne(retrying("shell", "begins-again"), "recovery.failures");
  expect(broken[0]?.actual).toContain("(2 times)");
});

test("an agent that sends its calls back without results is judged by the files that it wrote", async () => {
  const keepsResult = 'messages.push({ role: "tool", tool_call_id: id, content: "Noted." });';
  const agent = chatAgent({ run: `appendFileSync(title, content)` }).map((text) =>
    text.replace(keepsResult, ""),
  );
  expect((await judgeOne(agent, "history.result")).broken).toMatchObject([
    { id: "one-call", actual: "no result" },
    { id: "two-calls", actual: "no result" },
    { id: "three-calls", actual: "no result" },
    { id: "long-input", actual: "no result" },
  ]);
  const valid = await judgeOne(agent, "request.valid/one-call");
  expect(valid.broken[0]?.actual).toContain("must be followed by tool messages");
});

test("an agent that died of a reply keeps the clause, and the report says so", async () => {
  const dies = `if (choice.finish_reason === "content_filter") throw new Error("no such reason");
    if (choice.finish_reason === "length") break;`;
  const words = await judgeOne(
    chatAgent({ run: `writeFileSync(title, content)`, choose: dies }),
    "stop.words",
  );
  expect(words.status, report(words)).toBe("kept");
  expect(words.reason).toMatch(
    /^Passed, but nothing ran, and the program ended with an exception: one call under "content_filter"[^,]*$/,
  );
});
