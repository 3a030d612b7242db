import { readTurn } from "@fullstop/core";
import { isFull } from "@tooling/test/full";
import { places } from "@tooling/test/sample";
import { describe, expect, test } from "vitest";
import { tryParseJson } from "../src/harness/json.ts";
import { recordedObjects } from "../src/harness/objects.ts";
import { type AdapterSubject, judge, type Verdict } from "../src/index.ts";
import { anthropicWire } from "../src/wires/anthropic/index.ts";
import { geminiWire } from "../src/wires/gemini/index.ts";
import { openaiChatWire } from "../src/wires/openai-chat/index.ts";
import { openaiResponsesWire } from "../src/wires/openai-responses/index.ts";
import acme from "./acme.ts";
import { guarded } from "./guarded.ts";
import { adapterMutants } from "./mutants.ts";

/** The subject with another claim about formats for objects. */
const claiming = (
  subject: AdapterSubject,
  outputFormat: "always" | "without-tools" | undefined,
): AdapterSubject => ({
  ...subject,
  adapter: (endpoint) => ({ ...subject.adapter(endpoint), outputFormat }),
});

async function statusesOf(
  subject: AdapterSubject,
  only = "output",
): Promise<Readonly<Record<string, Verdict["status"]>>> {
  const statuses: Record<string, Verdict["status"]> = {};
  for await (const { clause, status } of judge(subject, { only, sample: places(40) }))
    statuses[clause.id] = status;
  return statuses;
}
const brokenOf = async (subject: AdapterSubject): Promise<readonly string[]> =>
  Object.entries(await statusesOf(subject)).flatMap(([id, status]) =>
    status === "broken" ? [id] : [],
  );

const outputMutants = adapterMutants.filter(({ caughtBy }) => caughtBy.startsWith("output."));

describe("an adapter without a format for objects", () => {
  const withoutFormat = claiming(acme, undefined);

  test("keeps every clause with the input of a tool, and is not asked for the format", async () => {
    const { "output.sent": sent, ...others } = await statusesOf(withoutFormat);
    expect(sent).toBe("not-asked");
    expect(new Set(Object.values(others))).toEqual(new Set(["kept"]));
  });

  /** A mutant that finds objects in the text of a reply finds none in the input of a tool. */
  const aboutText = [
    "takes the first object inside a text",
    "takes the first of two objects in a text",
  ];

  test.for(
    outputMutants.filter(
      ({ caughtBy, wrong }) => caughtBy !== "output.sent" && !aboutText.includes(wrong),
    ),
  )("$caughtBy catches one that $wrong", async ({ caughtBy, subject }) => {
    expect(await statusesOf(subject(withoutFormat), caughtBy)).toEqual({ [caughtBy]: "broken" });
  });
});

describe("an adapter with a format", () => {
  test("is asked in both forms, also if it cannot send the format beside tools", async () => {
    const checksOf = async (subject: AdapterSubject): Promise<number> => {
      for await (const { checks } of judge(subject, { only: "output.prose" })) return checks;
      return 0;
    };
    const one = await checksOf(claiming(acme, undefined));
    expect(one).toBeGreaterThan(20);
    expect(await checksOf(acme)).toBe(2 * one);
    expect(await checksOf(claiming(acme, "without-tools"))).toBe(2 * one);
    expect(await brokenOf(claiming(acme, "without-tools"))).toEqual([]);
  });
});

describe.each([anthropicWire, geminiWire, openaiChatWire, openaiResponsesWire])(
  "recorded replies of $name",
  (wire) => {
    const objects = recordedObjects(wire);

    test("are asked as objects, whole and cut", () => {
      expect(objects.filter(({ value }) => value !== undefined).length).toBeGreaterThan(4);
      expect(objects.filter(({ value }) => value === undefined).length).toBeGreaterThan(4);
    });

    test("call the tool for an object in place of their own", () => {
      for (const { name, frames } of objects)
        expect(frames.upToTerminal.join("\n"), name).toContain('"name":"final_output"');
    });
  },
);

describe("a subject with a gate of its own", () => {
  test("is judged by its turns, and keeps the clauses if they are sound", async () => {
    const own: AdapterSubject = {
      ...claiming(acme, "without-tools"),
      read: (...args) => readTurn(...args),
    };
    expect(await brokenOf(own)).toEqual([]);
  });

  test("is caught if its turns have the output of a reply that is not finished", async () => {
    const own: AdapterSubject = {
      ...acme,
      read: async (...args) => {
        const turn = await readTurn(...args);
        const value = tryParseJson(turn.text);
        return value === undefined || turn.calls.length > 0
          ? turn
          : ({ ...turn, stopReason: "stop", output: { value } } as typeof turn);
      },
    };
    expect(await brokenOf(own)).toEqual(
      expect.arrayContaining(["output.cut", "output.at-cap", "output.reasons", "output.refusal"]),
    );
  });
});

/** The guard is asked about recorded replies by clauses of its own. */
const { fixtures: _, ...wireWithoutFixtures } = anthropicWire;

/** The tests of the guard ask for the format. */
test.for(isFull ? (["always", undefined] as const) : [undefined])(
  "behind a guard every clause is kept (format: %s)",
  async (outputFormat) => {
    const subject = claiming({ ...guarded, wire: wireWithoutFixtures }, outputFormat);
    expect((await brokenOf(subject)).filter((id) => id !== "output.sent")).toEqual([]);
  },
);
