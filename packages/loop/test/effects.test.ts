import { run } from "@fullstop/loop";
import { type Mock, mock, type Say } from "@fullstop/provider-mock";
import { describe, expect, test } from "vitest";
import { memoryJournal } from "./memory.ts";
import { recorder, recoveries, runWatched } from "./tools.ts";

const prompt = "Go.";

/** A provider that runs a tool of its own in its first reply. */
function withSideEffects(script: readonly Say[]): Mock {
  const model = mock(script, { maxTokens: { default: 100, ceiling: 800 } });
  let replies = 0;
  const decoder: Mock["decoder"] = (emit) => {
    if (replies++ === 0) emit({ type: "side-effects" });
    return model.decoder(emit);
  };
  return { ...model, decoder };
}

const cut: Say = {
  calls: [{ name: "write", inputText: '{"path":"a","content":"half' }],
  stop: "length",
};
const causes: readonly (readonly [string, Say, string])[] = [
  ["a lost connection", { text: "Half", stop: null }, "retry: interrupted"],
  ["a failure", { stop: "error" }, "retry: error"],
  ["a reached cap", cut, "raise-cap: length"],
  ["thinking that used up the cap", { thinking: "Hm.", stop: "length" }, "less-effort: length"],
  ["a full window", { stop: "context-window" }, "compact: context-window"],
  ["a refusal", { text: "No.", stop: "refusal" }, "fallback: refusal"],
  ["a filter", { stop: "content-filter" }, "fallback: content-filter"],
  ["an empty reply", {}, "retry: stop"],
  ["a pause of which nothing came", { stop: "pause" }, "retry: pause"],
];

describe("a reply in which the provider's own tools may have changed something", () => {
  const long = Array.from({ length: 12 }, (_, n) => [
    { role: "user" as const, content: `Question ${n}.` },
    { role: "assistant" as const, content: [{ type: "text" as const, text: "Answer." }] },
  ]).flat();
  test.each(causes)("is not requested again after %s", async (_, first, step) => {
    const watch = (adapter: Mock) =>
      runWatched({
        adapter,
        messages: long,
        prompt,
        tools: [recorder("write")],
        recovery: {
          fallback: [{ adapter: mock(["Done."]) }],
          compact: (messages) => messages.slice(-3),
        },
      });
    const { outcome, events } = await watch(withSideEffects([first, { text: "Done." }]));
    expect(recoveries(events)).toEqual(
      outcome.status === "done" && !outcome.empty ? ["tell-model: length"] : [],
    );
    const other = await watch(
      mock([first, "Done."], { maxTokens: { default: 100, ceiling: 800 } }),
    );
    expect(recoveries(other.events)).toEqual([step]);
  });

  test("is mentioned in the summary after a failure, and in the note after a cut", async () => {
    const failed = await run({ adapter: withSideEffects([{ stop: null }]), prompt }).outcome();
    expect(failed).toMatchObject({ status: "failed", turn: { sideEffects: true }, turns: 1 });
    expect(failed.summary).toContain("A tool that the provider runs had already started.");
    const { outcome } = await runWatched({
      adapter: withSideEffects([cut, { text: "Done." }]),
      prompt,
      tools: [recorder("write")],
    });
    expect(outcome.status).toBe("done");
    expect(JSON.stringify(outcome.messages)).toContain("its effects remain");
  });

  test("is continued if nothing is repeated: its calls run, its pause is resumed, its text is continued", async () => {
    const read = recorder("read");
    const calls = await run({
      adapter: withSideEffects([{ calls: [{ name: "read", input: {} }] }, { text: "Done." }]),
      prompt,
      tools: [read],
    }).outcome();
    expect([calls.status, read.ran.length]).toEqual(["done", 1]);
    for (const stop of ["pause", "length"] as const)
      expect(
        await run({
          adapter: withSideEffects([{ text: "One, ", stop }, { text: "two." }]),
          prompt,
        }).text(),
      ).toBe("One, two.");
  });

  test("is not requested again by a resumed run", async () => {
    const journal = memoryJournal();
    const options = { prompt, journal: { store: journal, runId: "r" } };
    const first = await run({
      ...options,
      adapter: withSideEffects([{ text: "Half", stop: null }]),
    }).outcome();
    expect(first).toMatchObject({ status: "failed", turn: { sideEffects: true } });
    const later = mock(["Never."]);
    const again = await run({ ...options, adapter: later }).outcome();
    expect(again).toMatchObject({ summary: first.summary, turn: { sideEffects: true } });
    expect(later.requests).toEqual([]);
  });
});
