import { wires } from "@fullstop/conformance/wires";
import { agentTool, jsonSchema, needsInput, type RunOptions } from "@fullstop/loop";
import { mock } from "@fullstop/provider-mock";
import { describe, expect, test } from "vitest";
import { createView, type RecordingView, viewRecording } from "../src/view/index.ts";
import { fixtureOf, startProvider, type WireName, wireNames } from "./provider.ts";
import { type RecordedRun, recorded, testJournal } from "./recorded.ts";
import { toolNamed } from "./recorded-tools.ts";

/** The view of the file, which must be the view of the events themselves. */
function viewOf({ recording, events }: RecordedRun): RecordingView {
  const view = viewRecording(recording);
  const live = createView();
  for (const event of events) live.add(event);
  expect(asJson(view)).toEqual(asJson(live.view()));
  return view;
}
/**
 * As JSON: errors and calls of the running program are more than plain data. Previews of a recording
 * have the time of their chunk.
 */
const asJson = (view: RecordingView): unknown =>
  JSON.parse(
    JSON.stringify(view, (key, value) =>
      key === "startedAt" || key === "closedAt" ? undefined : value,
    ),
  );

const replyOf = (view: RecordingView, turn = 0, reply = 0) => {
  const found = view.runs[0]?.turns[turn]?.replies[reply];
  if (found === undefined) throw new Error(`Turn ${turn} has no reply ${reply}.`);
  return found;
};

const input = { path: "/srv/page.html", content: "é🧊 ".repeat(40) };

/** A reply that the output cap of 1024 tokens cut in a call. */
const cutAtCap: Readonly<Record<WireName, string>> = {
  anthropic: "cap-in-call",
  "openai-chat": "cap-in-call",
  "openai-responses": "cap-in-call",
  gemini: "complete-call-at-cap",
  "gemini-interactions": "cap-in-call",
};

describe.each(wireNames)("a view of %s", (name) => {
  test("shows a reply that was cut: its rules, its input, and what a repair would run", async () => {
    const { adapter } = await startProvider(name, [
      { fixture: cutAtCap[name] },
      { blocks: [{ name: "write", id: "call_2", input }] },
    ]);
    const view = viewOf(
      await recorded({ adapter, request: { maxTokens: 1024 }, tools: [toolNamed("write")] }),
    );
    expect(view.flaws).toEqual([]);
    const reply = replyOf(view);
    const { id } = reply;
    expect(id).toBe("run-1-turn-1-reply-1");
    expect(reply).toMatchObject({ attempt: 1, cap: 1024, replayed: false, kept: false });
    expect(reply.from?.model).toBe(adapter.model);
    expect(reply.recovery).toEqual({ action: "raise-cap", stopReason: "length" });
    expect(reply.recoveryCost?.requests).toBe(1);
    expect(reply.recoveryCost?.usage.output).toBe(12);
    expect(reply.verdict?.rules.find((rule) => rule.decisive)?.rule).toBe("finished");
    expect(reply.verdict?.rules.length).toBeGreaterThan(10);
    expect(reply.verdict?.explanation).toContain("cut at the output limit");
    const { withheld = reply.verdict?.turn.withheld ?? [], text } = fixtureOf(
      wires[name],
      cutAtCap[name],
    ).turn;
    expect(reply.text).toBe(text ?? "");
    expect(reply.inputs.map((one) => [one.id, one.name, one.text, one.withheldReason])).toEqual(
      withheld.map((one) => [one.id, one.name, one.inputText, one.reason]),
    );
    for (const held of reply.inputs) {
      expect(held.bytes).toBe(Buffer.byteLength(held.text));
      expect(held.verdict).toBe("withheld");
      expect(Object.keys(JSON.parse(held.repaired?.text ?? ""))).not.toEqual([]);
    }
    expect(reply.frames.length).toBeGreaterThan(0);
    const next = replyOf(view, 0, 1);
    expect(next).toMatchObject({ reason: "raise-cap", attempt: 2, kept: true });
    expect(next.inputs).toMatchObject([{ verdict: "call", name: "write" }]);
    expect(JSON.parse(next.inputs[0]?.text ?? "")).toEqual(input);
    expect(next.inputs[0]?.bytes).toBe(Buffer.byteLength(next.inputs[0]?.text ?? ""));
    expect(next.inputs[0]).not.toHaveProperty("repaired");
    expect(view.runs[0]?.turns[0]?.calls).toMatchObject([{ name: "write", state: "done", input }]);
    const { totals } = view.runs[0] ?? {};
    expect(totals).toMatchObject({ requests: 3, calls: 1, recoveries: 1 });
    expect(totals?.withheld).toBe(withheld.length);
    expect(totals?.discarded.output).toBe(reply.verdict?.usage.output);
  });

  test("shows what arrived of a reply whose connection broke, and that it was sent again", async () => {
    const blocks = [{ text: "I write." }, { name: "write", id: "call_1", input }];
    const { adapter } = await startProvider(name, [
      { blocks, events: -2, fault: "reset" },
      { blocks },
    ]);
    const view = viewOf(await recorded({ adapter, tools: [toolNamed("write")] }));
    const reply = replyOf(view);
    expect(reply.verdict?.stopReason).toBe("interrupted");
    expect(reply.verdict?.error?.message).toBeTruthy();
    expect(reply.recovery).toEqual({ action: "retry", stopReason: "interrupted" });
    expect(reply.inputs.every(({ verdict }) => verdict === "withheld")).toBe(true);
    expect(replyOf(view, 0, 1).verdict?.stopReason).toBe("tool-use");
    const [first, second] = view.runs[0]?.turns ?? [];
    expect(first?.replies).toHaveLength(2);
    expect(second?.replies[0]?.prompt).toMatchObject({ sameMessages: 1, changed: [] });
    expect(second?.replies[0]?.prompt?.request.messages).toHaveLength(3);
  });
});

test("a provider that refuses the request has a verdict with its words", async () => {
  const body = JSON.stringify({
    type: "error",
    error: { type: "authentication_error", message: "invalid x-api-key" },
  });
  const { adapter } = await startProvider("anthropic", [{ status: 401, body }]);
  const reply = replyOf(viewOf(await recorded({ adapter })));
  expect(reply).toMatchObject({ frames: [], inputs: [], text: "", kept: true });
  expect(reply.verdict?.error).toMatchObject({ kind: "auth" });
});

const agent = (name: string, script: Parameters<typeof mock>[0], more: object = {}) =>
  agentTool({
    name,
    description: name,
    inputSchema: jsonSchema({ type: "object" }),
    run: () => ({ adapter: mock(script), prompt: "Sub.", ...more }),
  });

const both = (...names: readonly string[]) => ({
  calls: names.map((name) => ({ name, id: name, input: {} })),
});

describe("calls", () => {
  test("of sub-agents are runs of their own, with the key of the call that they run in", async () => {
    const tools = [
      agent("left", [both("deep"), "Left."], { tools: [agent("deep", ["Deep."])] }),
      agent("right", [both("look"), "Right."], { tools: [toolNamed("look")] }),
    ];
    const view = viewOf(await recorded({ adapter: mock([both("left", "right"), "Done."]), tools }));
    expect(view.runs).toHaveLength(4);
    const [root, ...nested] = view.runs;
    const keys = root?.turns[0]?.calls.map(({ key }) => key);
    const outer = nested.filter(({ path }) => path.length === 1);
    expect(outer.map(({ path }) => path[0])).toEqual(keys);
    const deep = nested.find(({ path }) => path.length === 2);
    expect(outer[0]?.turns[0]?.calls[0]?.key).toBe(deep?.path[1]);
    expect(view.runs.every(({ outcome }) => outcome?.status === "done")).toBe(true);
    expect(new Set(view.runs.map(({ runId }) => runId)).size).toBe(1);
  });

  test("that run side by side have times, progress and results of their own", async () => {
    const slow = toolNamed("slow", async function* () {
      yield { done: 0.5 };
      return "slow";
    } as never);
    const fails = toolNamed("fails", () => {
      throw new Error("No.");
    });
    const view = viewOf(
      await recorded({ adapter: mock([both("slow", "fails"), "Done."]), tools: [slow, fails] }),
    );
    const calls = view.runs[0]?.turns[0]?.calls;
    expect(calls?.map(({ state }) => state)).toEqual(["done", "failed"]);
    expect(calls?.[0]?.steps.map(({ type }) => type)).toEqual(["start", "progress", "result"]);
    expect(calls?.[1]?.result?.isError).toBe(true);
    for (const call of calls ?? [])
      expect(call.endedAt ?? 0).toBeGreaterThanOrEqual(call.startedAt ?? Number.NaN);
  });

  test("that wait for a person are shown as waiting, and with the answer in the run after it", async () => {
    const journal = await testJournal();
    const ask = toolNamed("ask", (_, { given }) =>
      given === undefined ? needsInput("Which one?", {}) : "ok",
    );
    const pay = toolNamed("pay", () => "paid", { needsApproval: true });
    const options = { tools: [ask, pay], journal };
    const asking = await recorded({ ...options, adapter: mock([both("pay", "ask")]) });
    const waits = viewOf(asking).runs[0];
    expect(waits?.outcome).toMatchObject({ status: "waiting", waiting: [{ needs: "decision" }] });
    expect(waits?.turns[0]?.calls.map(({ state }) => state)).toEqual(["waiting", "issued"]);
    const id = waits?.outcome?.waiting[0]?.id ?? "";
    const second = await recorded({
      ...options,
      adapter: mock([]),
      waiting: { decisions: { [id]: true } },
    } as never);
    const goesOn = viewOf(second).runs[0];
    expect(goesOn?.turns[0]?.replies[0]).toMatchObject({ replayed: true, kept: true, frames: [] });
    expect(goesOn?.totals.requests).toBe(0);
    const [paid, asked] = goesOn?.turns[0]?.calls ?? [];
    expect(paid?.steps.map(({ type }) => type)).toEqual(["approval", "start", "result"]);
    expect(paid?.state).toBe("done");
    expect(asked?.state).toBe("waiting");
    expect(asked?.steps.find(({ type }) => type === "input")).toMatchObject({
      input: "later",
      question: "Which one?",
    });
  });

  test("in doubt say so, with their settlement", async () => {
    const journal = await testJournal();
    const stopped = new AbortController();
    const pay = toolNamed("pay", () => {
      stopped.abort();
      return new Promise(() => {});
    });
    const options = { tools: [pay] } satisfies Partial<RunOptions>;
    const first = await recorded({
      ...options,
      journal,
      adapter: mock([both("pay")]),
      signal: stopped.signal,
    });
    expect(viewOf(first).runs[0]?.turns[0]?.calls[0]?.state).toBe("in-doubt");
    const again = await recorded({
      ...options,
      journal: { ...journal, settle: () => "later" },
      adapter: mock([]),
    });
    const run = viewOf(again).runs[0];
    expect(run?.outcome?.waiting).toMatchObject([{ needs: "settlement" }]);
    expect(run?.turns[0]?.calls[0]).toMatchObject({ name: "pay", state: "in-doubt" });
    expect(run?.totals.inDoubt).toBe(1);
    const settled = await recorded({
      ...options,
      journal: { ...journal, settle: () => "unknown" },
      adapter: mock(["Done."]),
    });
    const call = viewOf(settled).runs[0]?.turns[0]?.calls[0];
    expect(call?.steps).toMatchObject([
      { type: "settlement", settlement: "unknown", replayed: false },
      { type: "result", ran: true },
    ]);
  });
});
