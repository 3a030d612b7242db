import { fileURLToPath } from "node:url";
import type { Report } from "@fullstop/conformance";
import { answersWithOneCall } from "@fullstop/conformance/runner";
import { afterAll, expect, test } from "vitest";
import { agentSubject } from "../src/index.ts";
import { createFolder } from "./command.ts";

const folder = createFolder();
const { put, run } = folder;
afterAll(() => folder[Symbol.dispose]());

/** A program of the folder `programs`, as a command line. */
const program = (name: string, ...more: readonly string[]): readonly string[] => [
  process.execPath,
  fileURLToPath(new URL(`./programs/${name}.mjs`, import.meta.url)),
  ...more,
];
type Findings = NonNullable<Report["subjects"][number]>["findings"];

/** Judges a program by one family or clause. Returns its findings, and standard error. */
async function judged(
  only: string,
  options: readonly string[],
  command: readonly string[],
): Promise<{ readonly findings: Findings; readonly stderr: string }> {
  const args = ["agent", "--only", only, "--reporter", "json", "--jobs", "2"];
  const { stdout, stderr } = await run([...args, ...options, "--", ...command]);
  expect(stdout, stderr).not.toBe("");
  return { findings: (JSON.parse(stdout) as Report).subjects[0]?.findings ?? {}, stderr };
}
const statusesOf = (findings: Findings): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(findings).map(([id, { status }]) => [id, status]));

test("a client that spells Gemini's fields in snake_case is judged, and asks for its model first", async () => {
  const { findings, stderr } = await judged("request.valid", [], program("gemini"));
  expect(statusesOf(findings)).toEqual({ "request.valid": "kept" });
  expect(stderr).toContain("The model calls the tool write (file_path, content).");
  const results = await judged("history", [], program("gemini"));
  expect(statusesOf(results.findings)).toEqual({
    "history.native": "kept",
    "history.result": "kept",
  });
});

test("an agent over Interactions is judged, with its own history and with one that the API keeps", async () => {
  const { findings, stderr } = await judged("stop.words", [], program("interactions"));
  expect(statusesOf(findings)).toEqual({ "stop.words": "kept" });
  expect(stderr).toContain("The model calls the tool write (file_path, content).");
  for (const how of ["whole", "kept"]) {
    const requests = await judged("history", [], program("interactions", how));
    expect(statusesOf(requests.findings)).toEqual({
      "history.native": "kept",
      "history.result": "kept",
    });
  }
  const careless = await judged("stop.words", [], program("interactions", "careless"));
  expect(statusesOf(careless.findings)).toEqual({ "stop.words": "broken" });
});

test("a custom tool in a namespace of additional_tools is called with raw text, whole and cut", async () => {
  const input = put("script.txt", "canary-1.txt = canary-1 one\nother-canary-1.txt = two\n");
  const options = ["--tool", "code.exec", "--tool-input", input];
  const { findings } = await judged("stop", options, program("custom-tool"));
  expect(Object.entries(findings).filter(([, { status }]) => status === "broken")).toEqual([]);
  expect(findings["stop.words"]?.checks).toBeGreaterThan(2);
  const careless = await judged("stop.words", options, program("custom-tool", "careless"));
  const actual = careless.findings["stop.words"]?.broken.map((check) => check.actual) ?? [];
  expect(actual.join("\n")).toContain('runs exec {"input":"canary-1.txt = canary-1 one');
  // The cap cut the second line, so only the first file is there.
  expect(actual.join("\n")).toContain("canary-1.txt: ");
});

test("clauses about JSON are not asked of a tool whose input is text", async () => {
  const input = put("script.txt", "canary-1.txt = canary-1 one\n");
  const options = ["--tool", "exec", "--tool-input", input];
  const { findings } = await judged("call", options, program("custom-tool"));
  expect(new Set(Object.values(statusesOf(findings)))).toEqual(new Set(["not-asked"]));
  expect(findings["call.cut-input"]?.reason).toContain("the input of the tool is text");
});

test("a custom tool without an input is an error that names the option", async () => {
  const { code, stderr } = await run(["agent", "--tool", "exec", "--", ...program("custom-tool")]);
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining("Give its input with --tool-input, with the mark canary-1 in it."),
  ]);
});

test("a program that ends only by a call of a tool gets that call", async () => {
  const options = ["--final-tool", "final_answer"];
  const { findings } = await judged("history", options, program("final-answer"));
  expect(statusesOf(findings)).toEqual({ "history.native": "kept", "history.result": "kept" });
  const { findings: ends } = await judged("recovery.ends", options, program("final-answer"));
  expect(statusesOf(ends)).toEqual({ "recovery.ends": "kept" });
});

test("the final call has the input that the user gives", async () => {
  const input = put("final.json", '{"answer": ""}');
  const subject = await agentSubject(program("final-answer"), {
    finalTool: "final_answer",
    finalInput: '{"answer": "42"}',
  });
  expect(subject.wire.agent?.finalCall).toMatchObject({ input: { answer: "42" } });
  const { code, stderr } = await run(["agent", "--final-input", input, "--", ...program("gemini")]);
  expect([code, stderr]).toEqual([
    2,
    "fullstop: --final-input belongs to a tool: name it with --final-tool.\n",
  ]);
});

test("a final tool that the program does not offer is an error at once", async () => {
  const args = ["agent", "--final-tool", "finish", "--", ...program("final-answer")];
  const { code, stderr } = await run(args);
  expect([code, stderr]).toEqual([
    2,
    'fullstop: The agent offers no tool named "finish", which --final-tool names. It offers final_answer, write.\n',
  ]);
});

test("an agent that runs the text of replies is judged by the files that it changes", async () => {
  const text = put("answer.txt", `canary-1.txt\n${"one line\n".repeat(20)}`);
  const options = ["--text", text];
  const { findings } = await judged("stop", options, program("text-agent"));
  expect(Object.entries(findings).filter(([, { status }]) => status === "broken")).toEqual([]);
  const careless = await judged("stop", options, program("text-agent", "careless"));
  const broken = Object.entries(careless.findings).filter(([, { status }]) => status === "broken");
  expect(broken.map(([id]) => id)).toEqual(
    expect.arrayContaining(["stop.words", "stop.cut", "stop.no-word"]),
  );
  const { findings: calls } = await judged("call", options, program("text-agent"));
  expect(Object.values(calls).map(({ reason }) => reason)).toEqual(
    Object.values(calls).map(() => expect.stringContaining("the text of a reply is what")),
  );
});

test("a conversation in the background is neither played to nor counted", async () => {
  const subject = await agentSubject(program("background"));
  const { requests, effects } = await subject.runner.run(
    answersWithOneCall(subject.wire, subject.runner.calls),
  );
  expect(effects.calls).toHaveLength(1);
  expect(requests.map(({ body }) => JSON.parse(body).system)).toEqual([
    expect.stringContaining("Now: 0"),
    expect.stringContaining("Now: 1"),
  ]);
});
