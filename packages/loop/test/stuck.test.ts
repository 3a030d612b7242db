import type { Message } from "@fullstop/loop";
import type { Say } from "@fullstop/provider-mock";
import { describe, expect, test, vi } from "vitest";
import { call, calls, failing, repeat, resultsIn, runScript } from "./script-run.ts";
import { eventsOfType, recorder, recoveries } from "./tools.ts";

test("after three equal results the same call does not run, and the model may try another way", async () => {
  const list = recorder("list");
  const { outcome, events, results } = await runScript(
    [...repeat(4, call("list")), "There is nothing."],
    [list],
  );
  expect(list.ran).toHaveLength(3);
  expect(results[3]).toEqual(expect.stringContaining("same result 3 times"));
  expect(recoveries(events)).toEqual(["stuck: tool-use"]);
  expect(outcome).toMatchObject({ status: "done", text: "There is nothing." });
});

test("if the model continues to repeat itself, it has one last turn without calls, and the run is stuck", async () => {
  const list = recorder("list");
  const { outcome, model, results } = await runScript(
    [...repeat(5, call("list")), "I could not find it."],
    [list, recorder("read")],
  );
  expect(list.ran).toHaveLength(3);
  expect(results[4]).toMatch(/You cannot call any more tools\. Answer now: .*\.$/);
  expect(model.requests.map(({ toolChoice }) => toolChoice)).toEqual([
    ...Array(5).fill(undefined),
    "none",
  ]);
  expect(model.requests.at(-1)?.tools).toEqual(model.requests[0]?.tools);
  expect(outcome).toMatchObject({
    status: "stuck",
    call: { name: "list", input: {} },
    text: "I could not find it.",
    turns: 6,
    summary: expect.stringContaining("the last time with list"),
  });
  expect(outcome.messages.at(-1)).toMatchObject({
    role: "assistant",
    content: [{ text: "I could not find it." }],
  });
  model.assertDone();
});

test("calls in the last turn of a stuck run get results but do not run", async () => {
  const endings: readonly Say[] = [
    call("list"),
    { text: "Half", stop: "length" },
    { calls: [{ name: "list", inputText: "{" }], stop: "length" },
    { text: "", stop: "stop" },
    { text: "", stop: "pause" },
    { text: "No.", stop: "refusal" },
    { calls: [{ name: "list", inputText: "}" }] },
  ];
  for (const last of endings) {
    const list = recorder("list");
    const { outcome } = await runScript(
      [
        ...repeat(5, call("list")),
        last,
        ...(last.text === "" && last.stop === "stop" ? [last] : []),
      ],
      [list],
    );
    expect(outcome.status).toBe("stuck");
    expect(list.ran).toHaveLength(3);
  }
  const refused = await runScript(
    [...repeat(5, call("list")), call("read")],
    [recorder("list"), recorder("read")],
  );
  expect(refused.results.at(-1)).toBe(
    "read was not run: no tool can be called any more in this run.",
  );
});

test("a lost connection in the last turn of a stuck run is retried", async () => {
  const { outcome, events } = await runScript(
    [...repeat(5, call("list")), { text: "Ha", stop: null }, "Had to stop."],
    [recorder("list")],
  );
  expect(recoveries(events)).toEqual(["stuck: tool-use", "stuck: tool-use", "retry: interrupted"]);
  expect(outcome).toMatchObject({ status: "stuck", text: "Had to stop." });
});

test("the order of keys in arguments does not matter, at any depth", async () => {
  const list = recorder("list");
  const inputs = [
    '{"a":{"b":1,"c":[{"d":1,"e":2}]},"f":1}',
    '{"f":1,"a":{"c":[{"e":2,"d":1}],"b":1}}',
  ];
  const asked = Array.from(
    { length: 4 },
    (_, at): Say => ({ calls: [{ name: "list", inputText: inputs[at % 2] ?? "" }] }),
  );
  await runScript([...asked, "Done."], [list]);
  expect(list.ran).toHaveLength(3);
  const other = recorder("list");
  await runScript(
    [
      call("list", { a: [1, 2] }),
      call("list", { a: [2, 1] }),
      call("list", { a: [1, 2] }),
      call("list", { a: [2, 1] }),
      "Done.",
    ],
    [other],
  );
  expect(other.ran).toHaveLength(4);
});

test("polling with changing results is not repetition, and neither is a tool with polls", async () => {
  let percent = 0;
  const changing = recorder("status", () => `${percent++} %`);
  const { outcome } = await runScript([...repeat(20, call("status")), "Done."], [changing]);
  expect(outcome.status).toBe("done");
  expect(changing.ran).toHaveLength(20);

  const declared = Object.assign(
    recorder("status", () => "running"),
    { polls: true },
  );
  expect(
    (await runScript([...repeat(20, call("status")), "Done."], [declared])).outcome.status,
  ).toBe("done");
  expect(declared.ran).toHaveLength(20);

  const undeclared = recorder("status", () => "running");
  expect(
    (await runScript([...repeat(5, call("status")), "Done."], [undeclared])).outcome.status,
  ).toBe("stuck");
});

test.each([2, 3, 4, 5])("a cycle of %i calls is found after three rounds", async (period) => {
  const names = ["a", "b", "c", "d", "e"].slice(0, period);
  const tools = names.map((name) => recorder(name));
  const script = Array.from({ length: 30 }, (_, at) => call(names[at % period] ?? ""));
  const { outcome } = await runScript([...script, "Never."], tools);
  expect(outcome.status).toBe("stuck");
  expect(tools.reduce((sum, { ran }) => sum + ran.length, 0)).toBe(period * 4 - 1);
});

test("a cycle that is longer than the remembered turns is not found", async () => {
  const names = ["a", "b", "c", "d", "e", "f"];
  const script = Array.from({ length: 36 }, (_, at) => call(names[at % 6] ?? ""));
  expect(
    (
      await runScript(
        [...script, "Done."],
        names.map((name) => recorder(name)),
      )
    ).outcome.status,
  ).toBe("done");
});

test("a cycle with new results is not a repetition", async () => {
  let line = 0;
  const read = recorder("read", () => `line ${line++}`);
  const tools = [read, recorder("next"), recorder("note")];
  const script = Array.from({ length: 30 }, (_, at) =>
    call(["read", "next", "note"][at % 3] ?? ""),
  );
  expect((await runScript([...script, "Done."], tools)).outcome.status).toBe("done");
  expect(tools.every(({ ran }) => ran.length === 10)).toBe(true);
});

test("the same calls together in one turn count once", async () => {
  const list = recorder("list");
  const { outcome } = await runScript(
    [calls("list", "list", "list"), calls("list", "list"), calls("list"), "Done."],
    [list],
  );
  expect(outcome.status).toBe("done");
  expect(list.ran).toHaveLength(6);
  const again = recorder("list");
  await runScript([...repeat(4, calls("list", "list")), "Done."], [again]);
  expect(again.ran).toHaveLength(6);
});

test("a varying call does not hide that another call always fails", async () => {
  let at = 0;
  const vary = recorder("vary", () => `${at++}`);
  const broken = failing("broken");
  const { results } = await runScript(
    [...repeat(6, calls("broken", "vary")), "Done."],
    [broken, vary],
  );
  expect(broken.ran).toHaveLength(5);
  expect(vary.ran).toHaveLength(6);
  expect(results.find((content) => content.includes("was not run"))).toBe(
    "broken was not run: broken failed in 5 turns in a row. Try a different approach, or explain what prevents you.",
  );
});

test("a tool that failed five times in a row is declined once, and may then be tried again", async () => {
  const broken = failing("broken");
  const tries = Array.from({ length: 8 }, (_, at) => call("broken", { at }));
  const { outcome, results } = await runScript([...tries, "I give up."], [broken]);
  expect(results.map((content) => content.includes("was not run"))).toEqual([
    ...Array(5).fill(false),
    true,
    false,
    true,
  ]);
  expect(outcome).toMatchObject({
    status: "stuck",
    call: { name: "broken", input: { at: 7 } },
    text: "I give up.",
  });
});

test("a success, or a new result of another tool, resets the count of failures", async () => {
  let at = 0;
  const tests = failing("tests");
  const edit = recorder("edit", () => `edit ${at++}`);
  const { outcome } = await runScript(
    [...repeat(8, call("tests"), call("edit", {})), "Done."],
    [tests, edit],
  );
  expect(outcome.status).toBe("done");
  expect(tests.ran).toHaveLength(8);

  let tried = 0;
  const flaky = recorder("flaky", () => {
    if (++tried % 5 !== 0) throw new Error(`No, ${tried}.`);
    return `Yes, ${tried}.`;
  });
  expect((await runScript([...repeat(20, call("flaky")), "Done."], [flaky])).outcome.status).toBe(
    "done",
  );
  expect(flaky.ran).toHaveLength(20);
});

test("unknown, invalid and denied calls count as failures", async () => {
  const names = Array.from({ length: 8 }, (_, at) => call("nowhere", { at }));
  expect((await runScript([...names, "Done."], [recorder("list")])).outcome.status).toBe("stuck");
  const list = recorder("list");
  const denied = Array.from({ length: 8 }, (_, at) => call("list", { at }));
  expect(
    (await runScript([...denied, "Done."], [list], { approve: () => false })).outcome.status,
  ).toBe("stuck");
  expect(list.ran).toEqual([]);
});

test("a model that tries another way after a warning continues as before", async () => {
  const list = recorder("list");
  const read = recorder("read");
  const script = [...repeat(4, call("list")), call("read"), ...repeat(3, call("list")), "Done."];
  const { outcome } = await runScript(script, [list, read]);
  expect(outcome.status).toBe("done");
  expect(list.ran).toHaveLength(6);
});

test("after progress the next warning is a first one again", async () => {
  const script = [...repeat(4, call("list")), call("read"), ...repeat(4, call("list")), "Done."];
  const { outcome, events, model } = await runScript(script, [recorder("list"), recorder("read")]);
  expect(recoveries(events)).toEqual(["stuck: tool-use", "stuck: tool-use"]);
  expect(model.requests.at(-1)?.toolChoice).toBeUndefined();
  expect(outcome.status).toBe("done");
});

test("no call is salvaged in the last turn of a stuck run", async () => {
  const salvage = { continueWith: ["list"], input: () => ({}) };
  const list = Object.assign(recorder("list"), { salvage });
  const lost: Say = { calls: [{ name: "list", inputText: '{"a' }], stop: null };
  const { outcome } = await runScript([...repeat(5, call("list")), ...repeat(3, lost)], [list]);
  expect(outcome).toMatchObject({ status: "stuck", turn: { stopReason: "interrupted" } });
  expect(list.ran).toHaveLength(3);
});

test.each([
  ["the caller's abort", (stop: AbortController) => stop.abort(), { status: "aborted" }],
  ["the deadline", () => vi.advanceTimersByTime(60_000), { status: "limit", limit: "deadlineMs" }],
] as const)("%s in the last turn of a stuck run has its own status", async (_, end, ending) => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const stop = new AbortController();
  const last = (): Say => {
    end(stop);
    return { text: "I could" };
  };
  const { outcome } = await runScript([...repeat(5, call("list")), last], [recorder("list")], {
    limits: { deadlineMs: 60_000 },
    signal: stop.signal,
  });
  vi.useRealTimers();
  expect(outcome).toMatchObject(ending);
});

test("an input that is nested very deeply runs, and the run continues", async () => {
  const levels = 100_000;
  const deep: Say = {
    calls: [{ name: "list", inputText: `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}` }],
  };
  const list = recorder("list");
  const { outcome, results } = await runScript([deep, "Done."], [list]);
  expect(outcome.status).toBe("done");
  expect(results).toEqual(["ok"]);
});

test("if a limit is reached together with a repetition, the status is limit", async () => {
  const { outcome } = await runScript(repeat(5, call("list")), [recorder("list")], {
    limits: { turns: 5 },
  });
  expect(outcome).toMatchObject({ status: "limit", limit: "turns", turns: 5 });
});

test("every call of a stuck run has a result and an event", async () => {
  const { outcome, events } = await runScript(
    [...repeat(5, calls("list", "list")), "Done."],
    [recorder("list")],
  );
  expect(eventsOfType(events, "tool-result")).toHaveLength(10);
  expect(eventsOfType(events, "tool-call")).toHaveLength(6);
  expect(resultsIn(outcome.messages)).toHaveLength(10);
});

describe("the runs of one conversation", () => {
  const asked = { role: "user", content: "Look again." } as const;
  const conversation = async (rounds: number, tool = recorder("list")): Promise<Message[]> => {
    const { outcome } = await runScript([...repeat(rounds, call("list")), "Nothing."], [tool]);
    return [...outcome.messages, asked];
  };

  test("count equal results together, and each run may try once more", async () => {
    for (const rounds of [2, 3, 5]) {
      const list = recorder("list");
      const { outcome, results } = await runScript(
        [...repeat(2, call("list")), "Still nothing."],
        [list],
        { prompt: undefined, messages: await conversation(rounds) },
      );
      expect(list.ran).toHaveLength(1);
      expect(results.at(-1)).toContain("same result 3 times");
      expect(outcome).toMatchObject({ status: "done", text: "Still nothing." });
    }
  });

  test("start anew after another result", async () => {
    const list = recorder("list", () => "now something");
    const { results } = await runScript([...repeat(3, call("list")), "There it is."], [list], {
      prompt: undefined,
      messages: await conversation(3),
    });
    expect(list.ran).toHaveLength(3);
    expect(results.at(-1)).toBe("now something");
  });

  test("count failures together", async () => {
    const { outcome } = await runScript(
      [...Array.from({ length: 5 }, (_, at) => call("list", { at })), "It fails."],
      [failing("list")],
    );
    const list = failing("list");
    await runScript(
      [...Array.from({ length: 2 }, (_, at) => call("list", { at: at + 9 })), "It fails."],
      [list],
      { prompt: undefined, messages: [...outcome.messages, asked] },
    );
    expect(list.ran).toHaveLength(1);
  });
});
