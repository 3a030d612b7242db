import { run } from "@fullstop/loop";
import { mock } from "@fullstop/provider-mock";
import { expect, test } from "vitest";
import { eventsOfType, recorder, runWatched } from "./tools.ts";

test.each(["beside a finished answer", "alone"])(
  "calls of tools that were not offered, %s, end the run after three turns and a last one",
  async (where) => {
    const text = where === "alone" ? "" : "Oslo has 717,710 inhabitants.";
    const model = mock(
      Array.from({ length: 20 }, (_, n) => ({
        text,
        calls: [{ name: `x_search_${n}`, input: { query: `Oslo ${n}` } }],
      })),
    );
    const { outcome, events } = await runWatched({
      adapter: model,
      tools: [recorder("read")],
      prompt: "How many?",
    });
    expect(outcome).toMatchObject({
      status: "stuck",
      call: { name: "x_search_2" },
      text,
      turns: 4,
    });
    expect(outcome.summary).toContain("x_search_2, which is not in `tools`");
    expect(model.requests.map(({ toolChoice }) => toolChoice)).toEqual([
      undefined,
      undefined,
      undefined,
      "none",
    ]);
    expect(eventsOfType(events, "tool-result").map(({ result }) => result.content)).toEqual([
      expect.stringContaining("Available tools: read."),
      expect.stringContaining("Available tools: read."),
      expect.stringContaining("Answer now"),
      expect.stringContaining("no tool can be called"),
    ]);
  },
);

test("a model that finds the right name again is not stopped", async () => {
  const lost = { calls: [{ name: "Read", input: {} }] };
  const found = {
    calls: [
      { name: "Read", input: {} },
      { name: "read", input: {} },
    ],
  };
  const model = mock([lost, lost, found, lost, lost, "Done."]);
  expect(await run({ adapter: model, tools: [recorder("read")], prompt: "Read." }).text()).toBe(
    "Done.",
  );
});
