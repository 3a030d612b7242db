import { run } from "@fullstop/loop";
import { expect, test } from "vitest";
import { keys } from "./journaled-run.ts";
import { type MemoryJournal, memoryJournal } from "./memory.ts";
import { call } from "./script-run.ts";
import { recorder } from "./tools.ts";
import { type Mode, modes, objectReply, oslo, osloText, runForOutput } from "./typed-output.ts";

const lookup = recorder("lookup");
const wrong = '{"city":"Oslo"}';
const scriptOf = (mode: Mode) => [
  call("lookup"),
  objectReply(mode, '{"city":"Os', "length"),
  objectReply(mode, wrong),
  objectReply(mode, osloText),
];
const runWith = (journal: MemoryJournal, mode: Mode, from: number) =>
  runForOutput(mode, scriptOf(mode).slice(from), {
    tools: [lookup],
    journal: { store: journal, runId: "r" },
  });

test.each(modes)("a run that was killed at any step gives the same outcome (%s)", async (mode) => {
  const whole = memoryJournal();
  const first = await runWith(whole, mode, 0);
  expect(first.outcome).toMatchObject({ status: "done", output: oslo, turns: 4 });
  for (let kept = 1; kept <= whole.lines.length; kept++) {
    const left = whole.lines.slice(0, kept);
    if (left.at(-1)?.begun) continue;
    const replies = left.filter(({ kind }) => kind === "model").length;
    const again = await runWith(memoryJournal(left), mode, replies);
    expect(again.outcome).toMatchObject({ status: "done", output: oslo, turns: 4 });
    expect(again.outcome.messages).toEqual(first.outcome.messages);
    expect(again.model.requests).toHaveLength(4 - replies);
  }
});

test("the stored reply holds its object, and a stored text that is not one is an error", async () => {
  const journal = memoryJournal();
  const store = { store: journal, runId: "r" };
  await runForOutput("format", [osloText], { journal: store });
  expect(keys(journal)).toEqual(["r", "r/1/model"]);
  expect(journal.lines[1]?.value).toMatchObject({ output: { value: oslo } });
  const changed = memoryJournal(
    journal.lines.map((line) => JSON.parse(JSON.stringify(line).replace('"text":"{', '"text":"'))),
  );
  const again = runForOutput("format", [], { journal: { store: changed, runId: "r" } });
  await expect(again).rejects.toThrow("its text is not an object");
});

test("the tool of the object is repeated after a kill: it has no side effects", async () => {
  const journal = memoryJournal();
  await runForOutput("tool", [objectReply("tool", osloText)], {
    journal: { store: journal, runId: "r" },
  });
  expect(keys(journal)).toEqual(["r", "r/1/model", "r/1/1"]);
});

test("a call that waited for a decision continues with an object", async () => {
  const options = { tools: [lookup], approve: () => "later" as const };
  const { outcome } = await runForOutput("tool", [call("lookup")], options);
  if (outcome.status !== "waiting") throw new Error(outcome.summary);
  const decisions = Object.fromEntries(outcome.calls.map(({ id }) => [id, true]));
  const waiting = { turn: JSON.parse(JSON.stringify(outcome.turn)), decisions };
  const { messages } = outcome;
  const next = await runForOutput("tool", [objectReply("tool", osloText)], {
    tools: [lookup],
    messages,
    prompt: undefined,
    waiting,
  });
  expect(next.outcome).toMatchObject({ status: "done", output: oslo, turns: 1 });
  expect(next.model.requests[0]?.toolChoice).toBe("required");
});

test("output() of a run that was resumed gives the object", async () => {
  const journal = { store: memoryJournal(), runId: "r" };
  const { model } = await runForOutput("format", [osloText], { journal });
  const { forecast } = await import("./typed-output.ts");
  const agent = run({ adapter: model, output: forecast, prompt: "Go.", journal });
  expect(await agent.output()).toEqual(oslo);
  expect(model.requests).toHaveLength(1);
});
