import { validateHistory } from "@fullstop/core";
import {
  type BeforeTurn,
  jsonSchema,
  type RunOptions,
  run,
  type Tool,
  type TurnChanges,
} from "@fullstop/loop";
import { mock, type Say, type Script } from "@fullstop/provider-mock";
import { expect, test } from "vitest";
import { memoryJournal } from "./memory.ts";
import { call, resultsIn } from "./script-run.ts";
import { recorder, runWatched } from "./tools.ts";

const prompt = "Go.";
/** Runs a script with what `beforeTurn` returns for each turn, by the number of the turn. */
async function runChanged(
  script: Script,
  changes: Readonly<Record<number, TurnChanges>>,
  options: Partial<RunOptions> = {},
) {
  const model = mock(script);
  const { outcome, events } = await runWatched({
    adapter: model,
    tools: [recorder("read"), recorder("write")],
    prompt,
    beforeTurn: ({ turn }) => changes[turn],
    ...options,
  });
  expect(validateHistory(outcome.messages)).toEqual([]);
  return { model, outcome, events, results: resultsIn(outcome.messages) };
}
const names = (tools: readonly { readonly name?: string }[] | undefined) =>
  tools?.map(({ name }) => name);

test("each setting changes for its turn only, and the options decide the others", async () => {
  const request = { maxTokens: 500, effort: "high", cache: "auto" } as const;
  const { model } = await runChanged(
    [call("read"), call("look"), "Done."],
    {
      2: {
        system: "Look.",
        tools: [recorder("look")],
        toolChoice: "required",
        maxTokens: 50,
        effort: "none",
        cache: "off",
      },
    },
    { system: "Read.", request },
  );
  const asRun = { system: "Read.", ...request };
  expect(model.requests).toMatchObject([
    asRun,
    { system: "Look.", toolChoice: "required", maxTokens: 50, effort: "none", cache: "off" },
    asRun,
  ]);
  expect(model.requests.map(({ tools }) => names(tools))).toEqual([
    ["read", "write"],
    ["look"],
    ["read", "write"],
  ]);
  expect(model.requests[2]?.toolChoice).toBeUndefined();
});

test("the calls of a turn run with the tools of that turn, and a tool of the run is not offered then", async () => {
  const look = recorder("look", () => "seen");
  const write = recorder("write");
  const { results } = await runChanged(
    [call("look"), call("look"), call("write"), "Done."],
    { 2: { tools: [look] }, 3: { tools: [look] } },
    { tools: [write] },
  );
  expect(look.ran).toHaveLength(1);
  expect(write.ran).toEqual([]);
  expect(results).toEqual([
    'No tool is named "look". Available tools: write.',
    "seen",
    'No tool is named "write". Available tools: look.',
  ]);
});

test("the note about a cut call names the tools of its turn", async () => {
  const cut: Say = { text: "I look.", calls: [{ name: "look", inputText: '{"a' }], stop: "length" };
  const { model } = await runChanged([cut, "Done."], { 1: { tools: [recorder("look")] } });
  expect(model.requests[1]?.messages.at(-1)?.content).toContain("Available tools: look.");
});

test("salvage is that of the tool of the turn", async () => {
  const append = recorder("append");
  const salvage = { continueWith: ["append"], first: true, input: () => ({ part: true }) };
  const write = Object.assign(recorder("write"), { salvage });
  const cut: Say = { calls: [{ name: "write", inputText: '{"a' }], stop: "length" };
  await runChanged([cut, "Done."], { 1: { tools: [write, append] } });
  expect(write.ran).toEqual([{ part: true }]);
});

test("a turn without tools sends none", async () => {
  const { model } = await runChanged(["Done."], { 1: { tools: [] } });
  expect(model.requests[0]?.tools).toBeUndefined();
});

test("a forced choice of the options applies to the first turn only, one of beforeTurn to each of its turns", async () => {
  const forced = { name: "write" } as const;
  const changes = { 2: { toolChoice: forced }, 3: { toolChoice: forced } };
  const { model } = await runChanged(
    [call("read"), call("write"), call("write"), "Done."],
    changes,
    { request: { toolChoice: { name: "read" } } },
  );
  expect(model.requests.map(({ toolChoice }) => toolChoice)).toEqual([
    { name: "read" },
    forced,
    forced,
    "auto",
  ]);
});

test("a turn with another adapter is requested from it, and the next one from the adapter of the run", async () => {
  const small = mock([call("read")]);
  const { model, outcome } = await runChanged([call("read"), "Done."], { 2: { adapter: small } });
  expect(outcome.status).toBe("done");
  expect([model.requests.length, small.requests.length]).toEqual([2, 1]);
});

test("the price gets the adapter that gave the reply", async () => {
  const paid: string[] = [];
  const price = (_: unknown, { model }: { readonly model: string }): number => {
    paid.push(model);
    return 0;
  };
  const small = { ...mock([call("read")]), model: "small" };
  await runChanged(["Done."], { 1: { adapter: small } }, { limits: { price } });
  expect(paid).toEqual(["small", "mock"]);
});

test("retries of a turn keep its changes", async () => {
  const lost: Say = { stop: null };
  const { model } = await runChanged([lost, "Done."], { 1: { system: "Now.", maxTokens: 70 } });
  expect(model.requests).toMatchObject([
    { system: "Now.", maxTokens: 70 },
    { system: "Now.", maxTokens: 70 },
  ]);
});

test("a recovery raises the cap of the turn, and the cap of the run stays as it was", async () => {
  const cut: Say = { calls: [{ name: "read", inputText: '{"a' }], stop: "length" };
  const { model } = await runChanged(
    [cut, call("read"), "Done."],
    { 1: { maxTokens: 40 } },
    { request: { maxTokens: 900 } },
  );
  expect(model.requests.map(({ maxTokens }) => maxTokens)).toEqual([40, 80, 900]);
});

test("a raised cap of the run stays after a turn with a cap of its own", async () => {
  const cut: Say = { calls: [{ name: "read", inputText: '{"a' }], stop: "length" };
  const { model } = await runChanged(
    [cut, call("read"), call("read"), "Done."],
    { 2: { maxTokens: 40 } },
    { request: { maxTokens: 100 } },
  );
  expect(model.requests.map(({ maxTokens }) => maxTokens)).toEqual([100, 200, 40, 200]);
});

test("a fallback that took over stays, also in a turn for which beforeTurn names another adapter", async () => {
  const refusing = mock([{ text: "No.", stop: "refusal" }]);
  const fallback = mock([call("read"), call("read"), "Done."], { maxTokens: { default: 10 } });
  const named = mock([]);
  const { outcome } = await runChanged(
    [],
    { 2: { adapter: named } },
    { adapter: refusing, recovery: { fallback: [{ adapter: fallback }] } },
  );
  expect(outcome.status).toBe("done");
  expect([refusing.requests.length, fallback.requests.length, named.requests.length]).toEqual([
    1, 3, 0,
  ]);
});

test("a fallback replaces the adapter of a turn, for the rest of the run", async () => {
  const named = mock([{ text: "No.", stop: "refusal" }]);
  const fallback = mock([call("read"), "Done."]);
  const first = mock([]);
  await runChanged(
    [],
    { 1: { adapter: named } },
    { adapter: first, recovery: { fallback: [{ adapter: fallback }] } },
  );
  expect([first.requests.length, named.requests.length, fallback.requests.length]).toEqual([
    0, 1, 2,
  ]);
});

test("beforeTurn is not called before a paused turn continues, and that keeps the changes", async () => {
  const asked: number[] = [];
  const model = mock([{ text: "Searching.", stop: "pause" }, call("look"), "Done."]);
  const look = recorder("look");
  const { outcome } = await runWatched({
    adapter: model,
    prompt,
    beforeTurn: ({ turn }) => {
      asked.push(turn);
      return turn === 1 ? { tools: [look], toolChoice: { name: "look" }, system: "S." } : {};
    },
  });
  expect(asked).toEqual([1, 3]);
  expect(look.ran).toHaveLength(1);
  expect(model.requests.map(({ system, toolChoice }) => [system, toolChoice])).toEqual([
    ["S.", { name: "look" }],
    ["S.", "auto"],
    [undefined, undefined],
  ]);
  expect(outcome.status).toBe("done");
});

test("an abort while beforeTurn hangs ends the run without a request", async () => {
  const controller = new AbortController();
  const model = mock([call("read")]);
  const beforeTurn: BeforeTurn = ({ turn }) => {
    if (turn === 1) return undefined;
    queueMicrotask(() => controller.abort());
    return new Promise(() => {});
  };
  const options = { adapter: model, tools: [recorder("read")], prompt, beforeTurn };
  const { outcome } = await runWatched({ ...options, signal: controller.signal });
  expect(outcome).toMatchObject({ status: "aborted", turns: 2 });
  expect(model.requests).toHaveLength(1);
  expect(validateHistory(outcome.messages)).toEqual([]);
});

test("the deadline ends a run whose beforeTurn hangs", async () => {
  const { outcome } = await runWatched({
    adapter: mock([]),
    prompt,
    beforeTurn: () => new Promise(() => {}),
    limits: { deadlineMs: 5 },
  });
  expect(outcome).toMatchObject({ status: "limit", limit: "deadlineMs" });
});

const bad = (changes: object, message: string) => [changes, message] as const;
const object = jsonSchema({ type: "object" });
test.each([
  bad({ sytem: "S." }, "Unknown option `beforeTurn.sytem`. Did you mean `beforeTurn.system`?"),
  bad({ maxTokens: 0 }, "`beforeTurn.maxTokens` must be a whole number, at least 1, not 0."),
  bad({ adapter: "small" }, "`beforeTurn.adapter` must be an adapter, such as"),
  bad(["Hello."], "`beforeTurn` must return an object of changes"),
  bad({ toolChoice: "always" }, "`beforeTurn.toolChoice` must be one of"),
  bad(
    { toolChoice: { name: "nowhere" } },
    '`beforeTurn` returned changes that cannot be used: `toolChoice` names "nowhere"',
  ),
  bad(
    { tools: [], toolChoice: "required" },
    '`beforeTurn` returned changes that cannot be used: `toolChoice: "required"` requires `tools`.',
  ),
  bad(
    { tools: [{ name: "a b", description: "", inputSchema: object }] },
    "`beforeTurn` returned changes that cannot be used: No provider accepts",
  ),
  bad(
    { tools: [{ name: "a", description: "", inputSchema: object, exectue: () => "" }] },
    "`beforeTurn` returned changes that cannot be used: Unknown option `tools[0].exectue`. Did you mean `tools[0].execute`?",
  ),
])("%o of beforeTurn is an error that says so", async (changes, message) => {
  const model = mock([]);
  const beforeTurn = (() => changes) as unknown as BeforeTurn;
  await expect(
    run({ adapter: model, tools: [recorder("read")], prompt, beforeTurn }).outcome(),
  ).rejects.toThrow(message);
  expect(model.requests).toEqual([]);
});

test("a replayed turn needs no request: its messages come from the journal, its tools from beforeTurn", async () => {
  const journal = memoryJournal();
  const look = recorder("look", () => "seen");
  const asked: Parameters<BeforeTurn>[0][] = [];
  const tools: readonly Tool[] = [recorder("read")];
  const options = (adapter: RunOptions["adapter"]): RunOptions => ({
    adapter,
    tools,
    prompt,
    journal: { store: journal, runId: "r" },
    beforeTurn: (next) => {
      asked.push(next);
      const messages = [{ role: "user", content: `Asked ${asked.length}.` }] as const;
      return next.turn === 1 ? { tools: [look], messages } : { messages };
    },
  });
  const { outcome: first } = await runWatched(options(mock([call("look"), "Done."])));
  const silent = mock([]);
  const { outcome: again } = await runWatched(options(silent));
  expect(again.messages).toEqual(first.messages);
  expect(silent.requests).toEqual([]);
  expect(look.ran).toHaveLength(1);
  expect(asked.map(({ turn, replayed }) => [turn, replayed])).toEqual([
    [1, undefined],
    [2, undefined],
    [1, true],
  ]);
});

test("a run that is resumed in the middle goes on with the tools of its turn", async () => {
  const journal = memoryJournal();
  const look = recorder("look", () => "seen");
  const options = (script: Script): RunOptions => ({
    adapter: mock(script),
    prompt,
    journal: { store: journal, runId: "r" },
    beforeTurn: () => ({ tools: [look] }),
  });
  await runWatched(options([call("look"), "Done."]));
  journal.lines.splice(journal.lines.findIndex(({ key }) => key.startsWith("r/1/1")));
  const { outcome } = await runWatched(options(["Done."]));
  expect(resultsIn(outcome.messages)).toEqual(["seen"]);
  expect(look.ran).toHaveLength(2);
});
