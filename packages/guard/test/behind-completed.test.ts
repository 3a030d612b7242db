import { guard } from "@fullstop/guard";
import { expect, test } from "vitest";

const eventsOf = (text: string): readonly Record<string, unknown>[] =>
  text
    .split("\n")
    .filter((line) => line.startsWith("data: {"))
    .map((line) => JSON.parse(line.slice("data: ".length)));

/** What leaves the guard if this arrives. */
async function pass(...events: readonly object[]): Promise<string> {
  const sent = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
  const reply = await guard(async () => new Response(sent), { closeMs: 0 })(
    "http://provider.test/v1beta/interactions",
    {
      method: "POST",
      body: '{"model":"gemini-3.8-flash","input":"Go.","stream":true,"store":false}',
    },
  );
  return reply.text();
}

const step = (index: number, step: object, delta: object): readonly object[] => [
  { event_type: "step.start", index, step },
  { event_type: "step.delta", index, delta },
  { event_type: "step.stop", index },
];
const call = (index: number): readonly object[] =>
  step(
    index,
    { type: "function_call", id: `call_${index}`, name: "read", arguments: {} },
    { type: "arguments_delta", arguments: '{"path":"a"}' },
  );
const output = (index: number, text: string): readonly object[] =>
  step(index, { type: "model_output" }, { type: "text", text });
const completed = (status: string): object => ({
  event_type: "interaction.completed",
  interaction: { id: "", status },
});

const opened = {
  event_type: "interaction.created",
  interaction: { id: "", status: "in_progress" },
};
/** The indices and texts of the steps, and where the interaction is completed. */
const outlineOf = (text: string): readonly unknown[] =>
  eventsOf(text).flatMap((event): readonly unknown[] => {
    const { event_type: type, index, delta } = event;
    if (type === "interaction.completed") return [type];
    return type === "step.delta" ? [[index, (delta as { text?: string }).text]] : [];
  });
const note = expect.stringContaining("The guard held back read");

test("steps that are held behind `interaction.completed` are numbered behind the note, and calls there are dropped", async () => {
  // A status of a reply that goes on: what follows counts, and waits for the verdict.
  const text = await pass(
    opened,
    ...output(0, "Before."),
    ...call(1),
    ...call(2),
    completed("in_progress"),
    ...output(3, "Behind."),
    ...call(4),
    ...output(5, "Last."),
    completed("incomplete"),
  );
  expect(text).not.toContain("function_call");
  expect(outlineOf(text)).toEqual([
    [0, "Before."],
    [1, note],
    "interaction.completed",
    [2, "Behind."],
    [3, "Last."],
  ]);
  const indices = eventsOf(text).flatMap(({ index }) => (typeof index === "number" ? [index] : []));
  expect(indices).toEqual([0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3]);
});

test("what follows the verdict at `interaction.completed` leaves as it came, up to the first call", async () => {
  const text = await pass(
    opened,
    ...call(0),
    completed("incomplete"),
    ...output(1, "Behind."),
    ...call(2),
    ...output(3, "Last."),
  );
  expect(text).not.toContain("function_call");
  expect(outlineOf(text)).toEqual([[0, note], "interaction.completed", [1, "Behind."]]);
});
