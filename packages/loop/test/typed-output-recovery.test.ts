import { validateHistory } from "@fullstop/core";
import type { Message, Outcome } from "@fullstop/loop";
import { mock, type Say, type Script } from "@fullstop/provider-mock";
import { describe, expect, test } from "vitest";
import { call, repeat } from "./script-run.ts";
import { recorder, recoveries } from "./tools.ts";
import { type Mode, modes, objectReply, oslo, osloText, runForOutput } from "./typed-output.ts";

const noteIn = (messages: readonly Message[]): string | undefined =>
  messages.flatMap((message) =>
    message.role === "user" && message.by === "loop" ? [String(message.content)] : [],
  )[0];
const wrong = '{"city":"Oslo","celsius":"cold"}';
const issue = "celsius: Invalid input: expected number, received string";

describe.each(modes)("%s", (mode) => {
  const finished = (text: string): Say => objectReply(mode, text);
  const invalid = recoveryOf(mode);

  test("the model gets the issues of the schema, and corrects its answer", async () => {
    const { outcome, events, model } = await runForOutput(mode, [
      finished(wrong),
      finished(osloText),
    ]);
    expect(outcome).toMatchObject({ status: "done", output: oslo, turns: 2 });
    expect(JSON.stringify(model.requests[1]?.messages)).toContain(issue);
    expect(recoveries(events)).toEqual([invalid]);
  });

  test("after three notes the run ends with the issues", async () => {
    const { outcome, events } = await runForOutput(mode, repeat(4, finished(wrong)));
    expect(outcome).toMatchObject({ status: "invalid-output", issues: [issue], turns: 4 });
    expect(outcome.summary).toBe(
      `The model finished, but its answer does not fit \`output\`: ${issue}.`,
    );
    expect(recoveries(events)).toEqual([invalid, invalid, invalid]);
    expect(validateHistory(outcome.messages)).toEqual([]);
  });

  test("`recovery.notes` limits the notes", async () => {
    const none = await runForOutput(mode, [finished(wrong)], { recovery: { notes: 0 } });
    expect(none.outcome).toMatchObject({ status: "invalid-output", issues: [issue], turns: 1 });
    const one = await runForOutput(mode, repeat(2, finished(wrong)), { recovery: { notes: 1 } });
    expect(one.outcome).toMatchObject({ status: "invalid-output", turns: 2 });
  });

  test("the notes are counted anew after other calls ran", async () => {
    const spy = recorder("lookup", () => `${spy.ran.length}`);
    const script = repeat(3, finished(wrong), finished(wrong), call("lookup"));
    const options = { tools: [spy], recovery: { notes: 2 } };
    const { outcome } = await runForOutput(mode, [...script, finished(osloText)], options);
    expect(outcome).toMatchObject({ status: "done", output: oslo, turns: 10 });
  });

  test("on the last turn an answer that does not fit ends the run with its issues", async () => {
    const { outcome } = await runForOutput(mode, [finished(wrong)], { limits: { turns: 1 } });
    expect(outcome).toMatchObject({ status: "invalid-output", issues: [issue] });
  });

  test("a limit that the correction would exceed ends the run", async () => {
    const limits = { outputTokens: 20 };
    const { outcome } = await runForOutput(mode, [finished(wrong)], { limits });
    expect(outcome).toMatchObject({ status: "limit", limit: "outputTokens" });
  });

  test("a cut object is requested again with a larger cap", async () => {
    const script = [objectReply(mode, '{"city":"Os', "length"), finished(osloText)];
    const { outcome, events, model } = await runForOutput(mode, script, {
      request: { maxTokens: 30 },
    });
    expect(outcome).toMatchObject({ status: "done", output: oslo, turns: 1 });
    expect(recoveries(events)).toEqual(["raise-cap: length"]);
    expect(model.requests.map(({ maxTokens }) => maxTokens)).toEqual([30, 60]);
  });

  test("if the cap cannot grow, the model is asked to be shorter, and never told that its JSON is wrong", async () => {
    const cut = objectReply(mode, '{"city":"Os', "length");
    const { outcome, events } = await runForOutput(mode, [cut, cut, finished(osloText)]);
    expect(outcome).toMatchObject({ status: "done", output: oslo, turns: 3 });
    expect(recoveries(events)).toEqual(["tell-model: length", "tell-model: length"]);
    expect(noteIn(outcome.messages)).toMatch(/cut off at the output limit/);
    expect(noteIn(outcome.messages)).not.toMatch(/not valid|not accepted|schema|Continue exactly/);
  });

  test.each([
    ["in the middle", '{"city":"Os'],
    ["where it happens to fit", '{"city":"Oslo","celsius":4}'],
  ])("an object that was cut %s ends as truncated", async (_, text) => {
    const { outcome } = await runForOutput(mode, repeat(3, objectReply(mode, text, "length")));
    expect(outcome).toMatchObject({ status: "truncated", turns: 3 });
    expect(outcome).not.toHaveProperty("output");
    expect(outcome.summary).toMatch(/^The answer is not complete\. The reply was cut/);
  });

  test("a refused larger cap leaves the note", async () => {
    const refuse = (): never => {
      throw new Error("too large");
    };
    const cut = objectReply(mode, '{"city":"Os', "length");
    const script: Script = [cut, refuse, finished(osloText)];
    const { outcome, events } = await runForOutput(mode, script, { request: { maxTokens: 30 } });
    expect(outcome).toMatchObject({ status: "done", output: oslo });
    expect(recoveries(events)).toEqual(["raise-cap: length", "tell-model: length"]);
  });

  test.each([
    ["stop at the cap", { usage: { output: 30 } }],
    ["a lost connection", { stop: null }],
    ["an error", { stop: "error" }],
    ["an unknown stop reason", { stop: "unknown" }],
  ] as const)("%s gives out no object", async (_, ending) => {
    const script = repeat(9, { ...finished(osloText), ...ending });
    const options = { request: { maxTokens: 30 }, recovery: { requests: 1 } };
    const { outcome } = await runForOutput(mode, script, options);
    expect(outcome.status).not.toBe("done");
    expect(outcome).not.toHaveProperty("output");
  });

  test.each(["refusal", "content-filter"] as const)("%s is refused", async (stop) => {
    const { outcome } = await runForOutput(mode, [{ ...finished(osloText), stop }]);
    expect(outcome).toMatchObject({ status: "refused" });
  });

  test("an empty reply is requested once more, and then counts as an answer that does not fit", async () => {
    const { outcome, events } = await runForOutput(mode, ["", "", finished(osloText)]);
    expect(outcome).toMatchObject({ status: "done", output: oslo, turns: 2 });
    expect(recoveries(events)).toEqual(["retry: stop", "tell-model: stop"]);
    const silent = await runForOutput(mode, ["", ""], { recovery: { notes: 0 } });
    expect(silent.outcome).toMatchObject({ status: "invalid-output" });
  });

  test("an empty reply after tool results is not an answer either", async () => {
    const script = [call("lookup"), "", finished(osloText)];
    const { outcome } = await runForOutput(mode, script, { tools: [recorder("lookup")] });
    expect(outcome).toMatchObject({ status: "done", output: oslo });
  });

  test("text is not the answer", async () => {
    const { outcome, model } = await runForOutput(mode, ["It is 4 degrees.", finished(osloText)]);
    expect(outcome).toMatchObject({ status: "done", output: oslo, turns: 2 });
    const note = noteIn(outcome.messages);
    expect(note).toContain("is not accepted as the answer");
    expect(note?.includes("final_output")).toBe(mode === "tool");
    expect(model.requests).toHaveLength(2);
  });

  test("a model that is stuck ends the run as before", async () => {
    const script = [...repeat(5, call("lookup")), "I was looking for it."];
    const { outcome, model } = await runForOutput(mode, script, { tools: [recorder("lookup")] });
    expect(outcome).toMatchObject({ status: "stuck", text: "I was looking for it." });
    expect(model.requests.at(-1)).not.toHaveProperty("output");
    expect(model.requests.at(-1)?.toolChoice).toBe("none");
  });
});

function recoveryOf(mode: Mode): string {
  return mode === "format" ? "tell-model: stop" : "tell-model: tool-use";
}

test.each([
  ["is not JSON", "Here it is: {}", "the reply is not one JSON object"],
  ["is fenced", `\`\`\`json\n${osloText}\n\`\`\``, "the reply is not one JSON object"],
  ["is a list", "[1]", "the reply is JSON, but not an object"],
  ["is the beginning of an object", '{"city":', "the JSON of the reply is not complete"],
  ["rounds a number", '{"celsius":12345678901234567890}', "a number that would be rounded"],
])("nothing is repaired: a finished text that %s", async (_, text, sentence) => {
  const { outcome } = await runForOutput("format", [text], { recovery: { notes: 0 } });
  expect(outcome).toMatchObject({ status: "invalid-output" });
  expect(outcome.summary).toContain(sentence);
});

test("the beginning of an object was cut if no usage shows that it is below the cap", async () => {
  const silent = { text: '{"city":', usage: { output: 0 } };
  const { outcome, events } = await runForOutput("format", [silent, osloText]);
  expect(outcome).toMatchObject({ status: "done", output: oslo });
  expect(recoveries(events)).toEqual(["tell-model: length"]);
});

test("a stop sequence ends no object", async () => {
  const adapter = {
    ...mock([osloText]),
    outputFormat: "always" as const,
    stops: { stop: { stop: "stop", calls: "never" } } as const,
  };
  const options = { adapter, recovery: { notes: 0 } };
  const { outcome } = await runForOutput("format", [], options);
  const issues = ["a stop sequence ended the reply"];
  expect(outcome).toMatchObject({ status: "invalid-output", issues });
});

test("on a host that reports cut replies as finished, the summary names the option that settles it", async () => {
  const adapter = {
    ...mock([osloText]),
    outputFormat: "always" as const,
    mislabelsTruncation: true,
  };
  const { outcome } = await runForOutput("format", [], { adapter, recovery: { notes: 0 } });
  expect(outcome.status).toBe("truncated");
  expect(outcome.summary).toContain("Set `maxTokens`.");
});

test("a list of issues is cut in the note, and whole in the outcome", async () => {
  const issues = Array.from({ length: 30 }, (_, position) => ({ message: `Flaw ${position}` }));
  const output = {
    "~standard": {
      version: 1 as const,
      vendor: "own",
      validate: () => ({ issues }),
      jsonSchema: { input: () => ({ type: "object" }) },
    },
  };
  const options = { output, recovery: { notes: 1 } };
  const { outcome } = await runForOutput("format", ["{}", "{}"], options);
  expect((outcome as Outcome & { issues: readonly string[] }).issues).toHaveLength(30);
  expect(noteIn(outcome.messages)).toMatch(/- Flaw 19\n- and 10 more\n/);
});

test("text that was cut where a call was asked for is not continued", async () => {
  const cut: Say = { text: "I think that", stop: "length" };
  const { outcome } = await runForOutput("tool", [cut, objectReply("tool", osloText)]);
  expect(outcome).toMatchObject({ status: "done", output: oslo, turns: 2 });
  expect(noteIn(outcome.messages)).toContain(
    "Give the answer as the input of the tool final_output",
  );
  const always = await runForOutput("tool", repeat(4, cut));
  expect(always.outcome).toMatchObject({ status: "truncated", turns: 4 });
});

test("an object that only repeats itself up to the cap is not requested again", async () => {
  const text = `{"city":"${"Oslo ".repeat(500)}`;
  const options = { request: { maxTokens: 30 } };
  const { outcome } = await runForOutput("format", [{ text, stop: "length" }], options);
  expect(outcome).toMatchObject({ status: "truncated", turns: 1 });
});

test.each<[Mode, number]>([
  ["format", 0],
  ["tool", 0],
  ["tool", 1],
])("a schema that never answers ends with the run: %s, after %i answers", async (mode, answers) => {
  let left = answers;
  const output = {
    "~standard": {
      version: 1 as const,
      vendor: "own",
      validate: () => (left-- > 0 ? { issues: [{ message: "no" }] } : new Promise(() => {})),
      jsonSchema: { input: () => ({ type: "object" }) },
    },
  };
  const limits = { deadlineMs: 50 };
  const { outcome } = await runForOutput(mode, [objectReply(mode, "{}")], { output, limits });
  expect(outcome).toMatchObject({ status: "limit", limit: "deadlineMs" });
});
