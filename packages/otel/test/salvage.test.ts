import { mock } from "@fullstop/provider-mock";
import { expect, test } from "vitest";
import { toolNamed, traced } from "./agents.ts";

test("a call that its tool completed has one request, which was cut, and one tool", async () => {
  const { spanNamed, spansNamed, points } = await traced({
    adapter: mock([
      { calls: [{ name: "note", id: "n", inputText: '{"text":"Zo' }], stop: "length" },
      "Done.",
    ]),
    tools: [
      toolNamed("note", undefined, {
        salvage: { continueWith: ["note"], input: () => ({ text: "Zo" }) },
      }),
    ],
    recovery: { requests: 1, notes: 0 },
  });
  const [cut, next] = spansNamed("chat mock");
  expect(cut?.attributes).toMatchObject({
    "fullstop.stop_reason": "length",
    "fullstop.kept": false,
  });
  expect(next?.attributes).not.toHaveProperty("fullstop.withheld.reason");
  expect(spansNamed("chat mock")).toHaveLength(2);
  expect(spanNamed("execute_tool note").attributes).not.toHaveProperty("error.type");
  expect(
    spanNamed("invoke_agent").events.map(({ attributes }) => attributes["fullstop.recovery"]),
  ).toContain("salvage");
  const tokens = points.filter(({ name }) => name === "gen_ai.client.token.usage");
  expect(tokens.map(({ count }) => count)).toEqual([2, 2]);
});
