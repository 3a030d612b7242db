import { mock } from "@fullstop/provider-mock";
import * as incubating from "@opentelemetry/semantic-conventions/incubating";
import { expect, test } from "vitest";
import { conventionsVersion } from "../src/index.ts";
import { attributes, metricNames, operations, ownAttributes, spanEvents } from "../src/names.ts";
import { call, toolNamed, traced } from "./agents.ts";

/** Names that this package of OpenTelemetry has. */
const published = new Set<unknown>(Object.values(incubating));
/** Names of the separate conventions for generative AI, which it does not have yet. */
const newer = ["gen_ai.invoke_agent.duration", "gen_ai.execute_tool.duration"];

test("each name is one of the conventions, or begins with the name of this project", () => {
  const names = [
    ...Object.values(attributes),
    ...Object.values(operations),
    ...Object.values(metricNames),
    ...Object.values(ownAttributes),
    ...Object.values(spanEvents),
  ];
  const unknown = names.filter((name) => !published.has(name) && !name.startsWith("fullstop."));
  expect(unknown.toSorted()).toEqual(newer.toSorted());
  expect(names.filter((name) => name.startsWith("gen_ai.")).length).toBeGreaterThan(20);
});

test("the conventions do not use the names of this project", () => {
  expect([...published].filter((name) => String(name).startsWith("fullstop"))).toEqual([]);
});

test("the version of the conventions is exported", () => {
  expect(conventionsVersion).toMatch(/^\d+\.\d+\.\d+$/);
});

test("what is sent has these names only, with contents too", async () => {
  const { spans, points } = await traced(
    {
      adapter: mock([call("look"), call("pay"), { stop: "refusal" }]),
      tools: [toolNamed("look"), toolNamed("pay")],
      approve: ({ name }) => name === "look",
    },
    true,
  );
  const sent = [...spans.flatMap((span) => [span, ...span.events]), ...points].flatMap((one) =>
    Object.keys(one.attributes),
  );
  const known = new Set<string>([...Object.values(attributes), ...Object.values(ownAttributes)]);
  expect(sent.filter((name) => !known.has(name))).toEqual([]);
  expect(new Set(sent).size).toBeGreaterThan(20);
});
