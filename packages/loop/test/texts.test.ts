import {
  type Adapter,
  dropOldest,
  jsonSchema,
  type RunOptions,
  run,
  type Tool,
} from "@fullstop/loop";
import { mock, type Say, type Script } from "@fullstop/provider-mock";
import { expect, test } from "vitest";
import { memoryJournal } from "./memory.ts";
import { eventsOfType, recorder, runWatched } from "./tools.ts";

/**
 * The one place that shows the texts of the loop: other tests assert kinds, reasons and short
 * parts.
 */
const recovery = { maxWaitMs: 0 };
const call = (name: string, input: object = {}): Say => ({ calls: [{ name, input }] });
const cutCall: Say = {
  calls: [{ name: "write", inputText: '{"path":"a.md","content":"On' }],
  stop: "length",
};
const output = jsonSchema({
  type: "object",
  properties: { path: { type: "string" } },
  required: ["path"],
});
const strict: Tool = { ...recorder("strict"), inputSchema: output };
const write: Tool = {
  ...recorder("write"),
  salvage: { continueWith: ["edit"], input: ({ complete }) => complete },
};
const failing = recorder("failing", () => {
  throw new Error("disk full");
});
const cycle: Record<string, unknown> = {};
cycle["self"] = cycle;

interface Texts {
  readonly notes?: readonly string[];
  readonly results?: readonly string[];
  readonly summary: string;
}
async function textsOf(script: Script, options: Partial<RunOptions> = {}): Promise<Texts> {
  const { outcome, events } = await runWatched({
    adapter: mock(script, { maxTokens: { default: 100, ceiling: 100 } }),
    prompt: "Go.",
    recovery,
    ...options,
  });
  const notes = outcome.messages.flatMap((message) =>
    message.role === "user" && message.by === "loop" ? [String(message.content)] : [],
  );
  const results = eventsOfType(events, "tool-result").map(({ result }) => String(result.content));
  return {
    ...(notes.length > 0 && { notes: [...new Set(notes)] }),
    ...(results.length > 0 && { results: [...new Set(results)] }),
    summary: outcome.summary,
  };
}
const abortDuringTool = (): Partial<RunOptions> => {
  const controller = new AbortController();
  const slow = recorder("slow", () => {
    controller.abort();
    return new Promise<string>(() => {});
  });
  return { tools: [slow, recorder("next")], limits: { concurrency: 1 }, signal: controller.signal };
};
const half: Say = { text: "Half a text", stop: "length" };
const edit = recorder("edit");
const wrongObject = call("final_output", { path: 1 });
const object = { name: "final_output", input: { path: "a.md" } };
/** A model whose provider has a format for objects. */
const asked = (...script: Script): Adapter => ({ ...mock(script), outputFormat: "always" });
const cases: Readonly<Record<string, () => Promise<Texts>>> = {
  "a cut call": () => textsOf([cutCall, cutCall, cutCall], { tools: [recorder("write"), edit] }),
  "a salvaged call": () => textsOf([cutCall, cutCall, cutCall, "Done."], { tools: [write, edit] }),
  "a call that cannot be used": () =>
    textsOf([{ calls: [{ name: "edit", inputText: "{]" }] }, "Done."], { tools: [edit] }),
  "a cut text": () => textsOf([half, half, half, half]),
  "only thinking": () =>
    textsOf([{ thinking: "Hm.", stop: "length" }], { request: { effort: "none" } }),
  "a text that repeats one passage": () =>
    textsOf([{ text: "again ".repeat(500), stop: "length" }]),
  "an unknown tool": () => textsOf([call("nowhere"), "Done."], { tools: [edit] }),
  "an unknown tool, without tools": () => textsOf([call("nowhere"), "Done."]),
  "an invalid input": () => textsOf([call("strict", { path: 1 }), "Done."], { tools: [strict] }),
  "a tool that throws": () => textsOf([call("failing"), "Done."], { tools: [failing] }),
  "no output": () =>
    textsOf([call("quiet"), "Done."], { tools: [recorder("quiet", () => undefined)] }),
  "an output that is not JSON": () =>
    textsOf([call("odd"), "Done."], { tools: [recorder("odd", () => () => 1)] }),
  "an output with an invalid block": () =>
    textsOf([call("odd"), "Done."], {
      tools: [recorder("odd", () => ({ type: "image", data: "AAAA" }))],
    }),
  "a long output": () =>
    textsOf([call("long"), "Done."], {
      tools: [recorder("long", () => "x".repeat(30))],
      limits: { resultChars: 10 },
    }),
  "a denied call": () => textsOf([call("edit"), "Done."], { tools: [edit], approve: () => false }),
  "a denied call with a reason": () =>
    textsOf([call("edit"), "Done."], { tools: [edit], approve: () => ({ deny: "not today" }) }),
  "a decision that is not valid": () =>
    textsOf([call("edit"), "Done."], { tools: [edit], approve: () => "yes" as never }),
  "a decision about another input": () =>
    textsOf([call("edit"), "Done."], { tools: [edit], approve: () => ({ allow: { other: 1 } }) }),
  "an approval that throws": () =>
    textsOf([call("edit"), "Done."], {
      tools: [edit],
      approve: () => {
        throw new Error("no screen");
      },
    }),
  "a postponed call": () => textsOf([call("edit")], { tools: [edit], approve: () => "later" }),
  "an abort while a tool runs": () =>
    textsOf(
      [
        {
          calls: [
            { name: "slow", input: {} },
            { name: "next", input: {} },
          ],
        },
      ],
      abortDuringTool(),
    ),
  "a tool that takes too long": () =>
    textsOf([call("slow"), "Done."], {
      tools: [{ ...recorder("slow", () => new Promise<string>(() => {})), timeoutMs: 1 }],
    }),
  "a call in doubt": () =>
    textsOf([call("edit"), "Done."], {
      tools: [edit],
      journal: { store: memoryJournal([{ key: "r/1/1", begun: true }]), runId: "r" },
    }),
  "the limit of turns": () => textsOf([call("edit")], { tools: [edit], limits: { turns: 1 } }),
  "the limit of calls": () =>
    textsOf([call("edit"), call("edit")], { tools: [edit], limits: { toolCalls: 1 } }),
  "a repeated call": () =>
    textsOf([...Array(5).fill(call("edit")), "I cannot go on."], { tools: [edit] }),
  "a tool that always fails": () =>
    textsOf([...Array.from({ length: 6 }, (_, part) => call("failing", { part })), "Done."], {
      tools: [failing],
    }),
  "tools that are not offered": () => textsOf(Array(4).fill(call("nowhere")), { tools: [edit] }),
  "too many pauses": () => textsOf(Array(9).fill({ text: "Wait.", stop: "pause" })),
  "an empty reply": () => textsOf(["", ""]),
  "a full window": () => textsOf([{ stop: "context-window" }]),
  "a compaction that does not help": () =>
    textsOf([{ stop: "context-window" }], { recovery: { compact: (messages) => messages } }),
  "a compaction": () =>
    textsOf([{ stop: "context-window" }, "Done."], {
      messages: Array.from({ length: 12 }, () => [
        { role: "user" as const, content: "And?" },
        { role: "assistant" as const, content: [{ type: "text" as const, text: "Yes." }] },
      ]).flat(),
      recovery: { compact: dropOldest },
    }),
  "an object that does not fit": () =>
    textsOf(["{}", "{}"], { adapter: asked("{}", "{}"), output, recovery: { notes: 1 } }),
  "a text instead of an object": () =>
    textsOf([], { adapter: asked("No.", "Never."), output, recovery: { notes: 1 } }),
  "a text instead of a call with the object": () =>
    textsOf(["No.", "Never."], { tools: [edit], output, recovery: { notes: 1 } }),
  "an object as a call that does not fit": () =>
    textsOf([wrongObject, wrongObject], { output, recovery: { notes: 1 } }),
  "an object beside other calls": () =>
    textsOf([{ calls: [object, { name: "edit", input: {} }] }, { calls: [object] }], {
      tools: [edit],
      output,
    }),
  "a cut call with an object": () => {
    const cut: Say = { calls: [{ name: "final_output", inputText: '{"path":"a' }], stop: "length" };
    return textsOf([cut, cut, cut], { output });
  },
  "two objects": () => textsOf([{ calls: [object, object] }, { calls: [object] }], { output }),
  "a cut object": () =>
    textsOf([], {
      adapter: asked({ text: '{"path":"a', stop: "length" }, '{"path":"a.md"}'),
      output,
    }),
};

test("the notes, the results and the summaries of the loop are these", async () => {
  const texts: Record<string, Texts> = {};
  for (const [name, textsFor] of Object.entries(cases)) texts[name] = await textsFor();
  expect(texts).toMatchSnapshot();
});

const tool: Tool = recorder("look");
const adapter = mock([]);
const invalidOptions: readonly object[] = [
  { adapter: undefined },
  { adapter: "mock" },
  { recovery: { fallback: adapter } },
  { aprove: () => true },
  { maxSteps: 3 },
  { temperature: 0 },
  { colour: "red" },
  { limits: { turns: 0 } },
  { limits: { cost: 1 } },
  { recovery: { notes: -1 } },
  { recovery: { maxWaitMs: Number.POSITIVE_INFINITY } },
  { prompt: 7 },
  { prompt: "" },
  { prompt: undefined },
  { prompt: [{ type: "image", url: "a.png" }] },
  { prompt: [{ type: "image", mediaType: "image/png", data: "data:image/png;base64,AA" }] },
  { prompt: [{ type: "image_url" }] },
  { messages: "Hi." },
  { messages: [{ role: "system", content: "Be brief." }] },
  { messages: [{ role: "model", parts: [] }] },
  { messages: [{ role: "assistant", content: "Hi." }] },
  { messages: [{ role: "tool", content: [] }] },
  { tools: [null] },
  { tools: [{ name: "look" }] },
  { tools: [tool, tool] },
  { tools: [{ ...tool, name: "" }] },
  { tools: [{ ...tool, name: "my tool!" }] },
  { tools: [{ ...tool, execute: "ls" }] },
  { tools: [{ ...tool, timeoutMs: 0 }] },
  { tools: [{ ...tool, inputSchema: undefined }] },
  { tools: [{ ...tool, inputSchema: {} }] },
  { tools: [{ ...tool, inputSchema: jsonSchema({ type: "string" }) }] },
  { tools: [{ ...tool, salvage: { continueWith: [] } }] },
  { tools: [{ ...tool, salvage: { continueWith: ["edit"] } }] },
  { request: { toolChoice: "always" } },
  { request: { toolChoice: "required" } },
  { request: { toolChoice: { name: "look" } } },
  { journal: { store: {}, runId: "r" } },
  { journal: { store: memoryJournal() } },
  { journal: { runId: "r" } },
  { waiting: { turn: {}, decisions: {} } },
  { output: {} },
  { output: jsonSchema({ type: "string" }) },
  { output, tools: [{ ...tool, name: "final_output" }] },
  { output, tools: [{ ...tool, ends: true }] },
];

test("the errors about options are these", () => {
  const messageOf = (options: object): string => {
    try {
      run({ adapter, prompt: "Go.", ...options });
      return "no error";
    } catch (thrown) {
      return String(thrown);
    }
  };
  const errors = invalidOptions.map(messageOf);
  expect(errors).not.toContain("no error");
  expect(errors).toMatchSnapshot();
});
