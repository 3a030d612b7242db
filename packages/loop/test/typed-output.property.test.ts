import { StopReason, type TurnRequest, validateHistory } from "@fullstop/core";
import { mock, type Say } from "@fullstop/provider-mock";
import { runs } from "@tooling/test/property";
import fc from "fast-check";
import { expect, test } from "vitest";
import { eventsOfType, recorder, runWatched } from "./tools.ts";
import { forecast, type Mode, modes, osloText } from "./typed-output.ts";

const claimed = Object.values(StopReason).filter(
  (reason) => reason !== "interrupted" && reason !== "aborted",
);
const texts = [
  osloText,
  '{"city":"Rome","celsius":9}',
  '{"city":"Rome","celsius":"warm"}',
  '{"city":"Rome"}',
  `${osloText}${osloText}`,
  `[${osloText}]`,
  "I cannot help with that.",
  "",
];
const step = fc.record({
  text: fc.constantFrom(...texts),
  /** How much of the text arrives; 1 is all of it. */
  part: fc.oneof(
    { weight: 3, arbitrary: fc.constant(1) },
    fc.double({ min: 0, max: 0.99, noNaN: true }),
  ),
  /** The text comes as the input of the tool of the object, or as text. */
  inTool: fc.boolean(),
  besides: fc.constantFrom("nothing", "nothing", "nothing", "lookup", "prose"),
  stop: fc.oneof(
    { weight: 3, arbitrary: fc.constant(undefined) },
    { weight: 2, arbitrary: fc.constantFrom(...claimed, null) },
  ),
  output: fc.constantFrom(0, 5, 10, 50),
});
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;
const script = fc.record({
  mode: fc.constantFrom(...modes),
  fallbackMode: fc.constantFrom(undefined, ...modes),
  steps: fc.array(step, { minLength: 1, maxLength: 8 }),
  hasTool: fc.boolean(),
  mislabelsTruncation: fc.boolean(),
  maxTokens: fc.constantFrom(undefined, 10, 40),
  turns: fc.integer({ min: 1, max: 8 }),
  notes: fc.constantFrom(undefined, 0, 1, 9),
  requests: fc.integer({ min: 1, max: 3 }),
});
type Script = typeof script extends fc.Arbitrary<infer Value> ? Value : never;

const arrived = ({ text, part }: Step): string => text.slice(0, Math.ceil(text.length * part));

function toReply(given: Step): Say {
  const { inTool, besides, stop, output } = given;
  const text = arrived(given);
  const calls = [
    ...(inTool ? [{ name: "final_output", inputText: text }] : []),
    ...(besides === "lookup" ? [{ name: "lookup", input: {} }] : []),
  ];
  const prose = besides === "prose" ? "Here it is. " : "";
  return {
    text: inTool ? prose : `${prose}${text}`,
    ...(calls.length > 0 && { calls }),
    stop,
    usage: { output },
  };
}

/** The object of a reply, by the rules of the README and not by those of the loop. */
function expectedOutput(given: Step, request: TurnRequest, { mislabelsTruncation }: Script) {
  const { inTool, besides, stop, output } = given;
  // A model that is stuck gets a last turn without tools, and without `output`.
  const asksTool = request.output === undefined && request.toolChoice !== "none";
  const isAsked = inTool ? asksTool : request.output !== undefined;
  const isFinished = stop === undefined || stop === "stop" || (inTool && stop === "tool-use");
  const cap = request.maxTokens;
  const isBelowCap = cap === undefined || output < cap;
  const isProven = !mislabelsTruncation || (cap !== undefined && output > 0);
  const isAlone = besides === "nothing" || (inTool && besides === "prose");
  if (!isAsked || !isFinished || !isBelowCap || !isProven || !isAlone) return undefined;
  try {
    return forecast.safeParse(JSON.parse(arrived(given))).data;
  } catch {
    return undefined;
  }
}

/** One script for both adapters of a run, and the requests that they got. */
function play(given: Script) {
  const { mode, fallbackMode, steps, mislabelsTruncation } = given;
  const requests: TurnRequest[] = [];
  const outputs: (object | undefined)[] = [];
  const reply = (request: TurnRequest): Say => {
    const next = steps[requests.length];
    requests.push(request);
    if (next === undefined) throw new Error("The script has ended.");
    outputs.push(expectedOutput(next, request, given));
    return toReply(next);
  };
  const adapterOf = (one: Mode) => ({
    ...mock(Array.from({ length: 20 }, () => reply)),
    ...(one === "format" && { outputFormat: "always" as const }),
    mislabelsTruncation,
  });
  const fallback = fallbackMode && [{ adapter: adapterOf(fallbackMode) }];
  return { adapter: adapterOf(mode), fallback, requests, outputs };
}

test("whatever a model replies, only a finished, whole and valid object is given out, and the first such object always is", async () => {
  const seen = { statuses: new Set<string>(), asked: new Set<boolean>() };
  await fc.assert(
    fc.asyncProperty(script, async (given) => {
      const { hasTool, maxTokens, turns, notes, requests: most } = given;
      const { adapter, fallback, requests, outputs } = play(given);
      const { outcome, events } = await runWatched({
        adapter,
        output: forecast,
        tools: hasTool ? [recorder("lookup")] : [],
        prompt: "Go.",
        request: { maxTokens },
        limits: { turns },
        recovery: { notes, requests: most, fallback },
      });
      const first = outputs.findIndex((one) => one !== undefined);
      if (outcome.status === "done") expect(outcome.output).toEqual(outputs[first]);
      else expect(outcome).not.toHaveProperty("output");
      expect(outcome.status === "done").toBe(first >= 0);
      if (first >= 0) expect(requests).toHaveLength(first + 1);
      expect(validateHistory(outcome.messages)).toEqual([]);
      expect(outcome.turns).toBeLessThanOrEqual(turns);
      if (outcome.status === "invalid-output") expect(outcome.issues.length).toBeGreaterThan(0);
      if (notes === 0) expect(JSON.stringify(outcome.messages)).not.toContain("is not accepted");
      for (const { partial } of eventsOfType(events, "output"))
        expect(Object.keys(partial.complete).every((key) => key in forecast.shape)).toBe(true);
      seen.statuses.add(outcome.status);
      for (const { output } of requests) seen.asked.add(output !== undefined);
    }),
    { numRuns: runs(3000) },
  );
  expect([...seen.statuses].toSorted()).toEqual(
    expect.arrayContaining(["done", "failed", "invalid-output", "refused", "truncated"]),
  );
  expect(seen.asked.size).toBe(2);
});
