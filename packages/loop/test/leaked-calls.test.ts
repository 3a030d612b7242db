import { type Message, validateHistory } from "@fullstop/core";
import { run } from "@fullstop/loop";
import { mock, type Say } from "@fullstop/provider-mock";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { memoryJournal } from "./memory.ts";
import { eventsOfType, recorder, recoveries, runWatched } from "./tools.ts";

const markup = '<invoke name="read">\n<parameter name="path">a</parameter>\n</invoke>';
const leaked = `I look.\n\n${markup}`;
const call: Say = { calls: [{ name: "read", input: { path: "a" } }] };
const prompt = "Read it.";
const userTexts = (messages: readonly Message[]): readonly unknown[] =>
  messages.flatMap((message) => (message.role === "user" ? [message.content] : []));

describe("a call that the model wrote as text", () => {
  test("is not run; the model gets a note, and does not see the markup again", async () => {
    const read = recorder("read");
    const model = mock([leaked, call, "Done."]);
    const { outcome, events } = await runWatched({ adapter: model, tools: [read], prompt });
    expect(outcome).toMatchObject({ status: "done", text: "Done.", turns: 3 });
    expect(read.ran).toEqual([{ path: "a" }]);
    expect(recoveries(events)).toEqual(["tell-model: stop"]);
    expect(eventsOfType(events, "turn")[0]?.turn.leakedCall).toMatchObject({ name: "read" });
    const [, second] = model.requests;
    expect(JSON.stringify(second?.messages)).not.toContain("invoke");
    expect(second?.messages.at(-2)).toMatchObject({ content: [{ type: "text", text: "I look." }] });
    expect(userTexts(second?.messages ?? []).at(-1)).toBe(
      "You wrote a call of read as text, so it did not run. Call a tool with one complete JSON object as its input, or answer with text. Available tools: read.",
    );
    expect(validateHistory(outcome.messages)).toEqual([]);
  });

  test("ends the run after the last note: the text is an answer with a mark", async () => {
    const model = mock([leaked, markup, leaked]);
    const { outcome, events } = await runWatched({
      adapter: model,
      tools: [recorder("read")],
      prompt,
    });
    expect(outcome).toMatchObject({
      status: "done",
      leakedCall: { name: "read", form: "invoke", in: "text" },
      text: leaked,
      summary:
        "The model finished in 3 turns. The model wrote a call of read as text, so the call did not run.",
    });
    expect(recoveries(events)).toEqual(["tell-model: stop", "tell-model: stop"]);
    expect(JSON.stringify(outcome.messages.slice(0, -1))).not.toContain("invoke");
    expect(outcome.messages.at(-1)).toMatchObject({ content: [{ type: "text", text: leaked }] });
    expect(validateHistory(outcome.messages)).toEqual([]);
  });

  test.each<readonly [string, Say, object]>([
    ["its reply was cut", { text: leaked.slice(0, -20), stop: "length" }, {}],
    ["it is in the thinking", { thinking: leaked }, {}],
    ["an object was asked for", { text: leaked }, { output: z.object({ a: z.string() }) }],
  ])("ends the run as failed after the last note if %s", async (_, said, options) => {
    const run = { adapter: mock([said]), tools: [recorder("read")], prompt };
    const { outcome } = await runWatched({ ...run, recovery: { notes: 0 }, ...options });
    expect(outcome).toMatchObject({ status: "failed", error: { kind: "malformed-tool-call" } });
    expect(outcome.text).not.toContain("invoke");
  });

  test("is the text of a run that has no note left", async () => {
    const adapter = mock([leaked]);
    const options = { adapter, tools: [recorder("read")], prompt, recovery: { notes: 0 } };
    expect(await run(options).text()).toBe(leaked);
  });

  test("that the cap cut is not continued", async () => {
    const model = mock([{ text: leaked.slice(0, -20), stop: "length" }, call, "Done."]);
    const { outcome, events } = await runWatched({
      adapter: model,
      tools: [recorder("read")],
      prompt,
    });
    expect(recoveries(events)).toEqual(["tell-model: length"]);
    expect(String(userTexts(model.requests[1]?.messages ?? []).at(-1))).toMatch(
      /^Your reply was cut off at the output limit\. You wrote a call of read as text/,
    );
    expect(outcome).toMatchObject({ status: "done", text: "Done." });
  });

  test("in the thinking of a reply without a text gets the same note", async () => {
    const model = mock([{ thinking: leaked }, call, "Done."]);
    const { outcome } = await runWatched({ adapter: model, tools: [recorder("read")], prompt });
    expect(String(userTexts(model.requests[1]?.messages ?? []).at(-1))).toContain(
      "in your thinking",
    );
    expect(outcome.status).toBe("done");
  });

  test("goes to the fallback after the last note", async () => {
    const other = mock([call, "Done."]);
    const { outcome, events } = await runWatched({
      adapter: mock([leaked, leaked, leaked]),
      tools: [recorder("read")],
      prompt,
      recovery: { fallback: [{ adapter: other, when: ["failed"] }] },
    });
    expect(recoveries(events).at(-1)).toBe("fallback: stop");
    expect(outcome).toMatchObject({ status: "done", text: "Done." });
    expect(JSON.stringify(other.requests)).not.toContain("invoke");
  });

  test("is an answer if `recovery.leakedCalls` is off", async () => {
    const { outcome, events } = await runWatched({
      adapter: mock([leaked]),
      tools: [recorder("read")],
      prompt,
      recovery: { leakedCalls: false },
    });
    expect(outcome).toMatchObject({ status: "done", text: leaked, turns: 1 });
    expect(outcome.messages.at(-1)).toMatchObject({ content: [{ text: leaked }] });
    expect(recoveries(events)).toEqual([]);
  });

  test("gets no note if notes are off", async () => {
    const outcome = await run({
      adapter: mock([leaked]),
      tools: [recorder("read")],
      prompt,
      recovery: { notes: 0 },
    }).outcome();
    expect(outcome).toMatchObject({ status: "done", leakedCall: { name: "read" }, turns: 1 });
  });

  test("is an answer if no tool of this name was offered", async () => {
    const { outcome } = await runWatched({
      adapter: mock([leaked]),
      tools: [recorder("write")],
      prompt,
    });
    expect(outcome).toMatchObject({ status: "done", text: leaked });
  });

  test("is found again in a run that was resumed from its journal", async () => {
    const journal = { store: memoryJournal(), runId: "leak" };
    const tools = [recorder("read")];
    const first = mock([leaked, { ...call, stop: null }]);
    const recovery = { requests: 1, notes: 2 };
    await run({ adapter: first, tools, prompt, journal, recovery }).outcome();
    const { events } = await runWatched({
      adapter: mock([call, "Done."]),
      tools,
      prompt,
      journal,
      recovery,
    });
    expect(eventsOfType(events, "turn")[0]).toMatchObject({
      replayed: true,
      turn: { leakedCall: { name: "read" } },
    });
    expect(recoveries(events)[0]).toBe("tell-model: stop");
  });
});
