import { jsonSchema, needsInput, type Tool } from "@fullstop/loop";
import { mock } from "@fullstop/provider-mock";
import { expect, test } from "vitest";
import { contents, withoutLines } from "./journaled-run.ts";
import { type MemoryJournal, memoryJournal } from "./memory.ts";
import { calls } from "./script-run.ts";
import { eventsOfType, recorder, runWatched } from "./tools.ts";

const inputSchema = jsonSchema({ type: "object" });
/** Asks for a size and a colour, and remembers what it was given. */
const order = (given: unknown[]): Tool => ({
  name: "order",
  description: "Orders a shirt.",
  inputSchema,
  execute: (_input: never, context) => {
    given.push(context.given?.input);
    if (context.given === undefined) return needsInput({ ask: "Which size?" }, { step: 1 });
    if ((context.given.state as { step: number }).step === 1)
      return needsInput({ ask: "Which colour?" }, { step: 2, size: context.given.input });
    return `ordered ${(context.given.state as { size: string }).size} ${context.given.input}`;
  },
});
const attempt = async (
  store: MemoryJournal | undefined,
  inputs: Readonly<Record<string, unknown>> | undefined,
  tools: readonly Tool[],
) =>
  runWatched({
    adapter: mock([calls("look", "order"), "Done."].slice(inputs === undefined ? 0 : 1)),
    tools,
    prompt: "Go.",
    ...(store && { journal: { store, runId: "r" } }),
    ...(inputs && { waiting: { inputs } }),
  });

test("a tool that needs an input makes the run wait, and is called again with each answer", async () => {
  const store = memoryJournal();
  const given: unknown[] = [];
  const look = recorder("look");
  const tools = [look, order(given)];
  const first = await attempt(store, undefined, tools);
  const [waits] = first.outcome.status === "waiting" ? first.outcome.calls : [];
  expect(waits).toMatchObject({ needs: "input", question: { ask: "Which size?" } });
  expect(first.outcome.summary).toBe("The run waits for an input for order.");

  const answers = { [waits?.id ?? ""]: "L" };
  const second = await attempt(store, answers, tools);
  const [again] = second.outcome.status === "waiting" ? second.outcome.calls : [];
  expect(again).toMatchObject({ id: `${waits?.id}/attempt/2`, question: { ask: "Which colour?" } });
  expect(
    eventsOfType(second.events, "input").map(({ input, replayed }) => [input, replayed]),
  ).toEqual([
    ["given", undefined],
    ["later", undefined],
  ]);

  const third = await attempt(store, { ...answers, [again?.id ?? ""]: "blue" }, tools);
  expect(third.outcome).toMatchObject({ status: "done", text: "Done." });
  expect(contents(third.outcome.messages)).toEqual(["ok", "ordered L blue"]);
  expect([given, look.ran.length]).toEqual([[undefined, "L", "blue"], 1]);
});

test("the answer is recorded, and needed once", async () => {
  const store = memoryJournal();
  const given: unknown[] = [];
  const first = await attempt(store, undefined, [recorder("look"), order(given)]);
  const id = first.outcome.status === "waiting" ? (first.outcome.calls[0]?.id ?? "") : "";
  await attempt(store, { [id]: "L" }, [recorder("look"), order(given)]);
  const again = await attempt(store, {}, [recorder("look"), order(given)]);
  expect(again.outcome.status).toBe("waiting");
  expect(
    eventsOfType(again.events, "input").map(({ input, replayed }) => [input, replayed]),
  ).toEqual([
    ["given", true],
    ["later", undefined],
  ]);
  expect(given).toEqual([undefined, "L"]);
});

/** After the first text, V8 13 to 15 read the second one with the key of the first. */
test("an answer has its keys again when the journal is read (nodejs/node#63785)", async () => {
  JSON.parse('{"renames":1,"\\\\":2}');
  const answer = { renames: 1, "\n": 2 };
  const store = memoryJournal();
  const given: unknown[] = [];
  const first = await attempt(store, undefined, [recorder("look"), order(given)]);
  const id = first.outcome.status === "waiting" ? (first.outcome.calls[0]?.id ?? "") : "";
  await attempt(store, { [id]: answer }, [recorder("look"), order([])]);
  await attempt(
    withoutLines(store.lines, ({ key }) => key.includes("attempt")),
    {},
    [recorder("look"), order(given)],
  );
  expect(given).toEqual([undefined, answer]);
});

test("the other calls of the turn run while the tool waits, also after a crash", async () => {
  const store = memoryJournal();
  await attempt(store, undefined, [recorder("look"), order([])]);
  const killed = withoutLines(store.lines, ({ key }) => key === "r/1/1");
  const look = recorder("look");
  const again = await attempt(killed, {}, [look, order([])]);
  expect(again.outcome.status).toBe("waiting");
  expect(look.ran).toHaveLength(1);
});

test("without a journal the model learns that the tool cannot ask", async () => {
  const { outcome } = await attempt(undefined, undefined, [recorder("look"), order([])]);
  expect(outcome.status).toBe("done");
  expect(contents(outcome.messages)[1]).toBe(
    "order needs an input from a person, and this run cannot wait for one, because it has no journal. Go on without order, or tell the person what is missing.",
  );
});

test("a question or a state that JSON cannot hold is an error result, and the run goes on", async () => {
  for (const [question, state] of [
    [{ most: 10n }, 1],
    ["Which?", new Map([["step", 1]])],
  ]) {
    const asks = recorder("order", () => needsInput(question, state));
    const { outcome } = await attempt(memoryJournal(), undefined, [recorder("look"), asks]);
    expect(outcome.status).toBe("done");
    expect(contents(outcome.messages)[1]).toMatch(/^order failed: .*(BigInt|Map)/);
  }
});

test("what a run waits for is plain data, as the journal stores it", async () => {
  const until = new Date(0);
  const asks = recorder("order", () => needsInput({ until }));
  const { outcome } = await attempt(memoryJournal(), undefined, [recorder("look"), asks]);
  expect(outcome).toMatchObject({ calls: [{ question: { until: until.toJSON() } }] });
});
