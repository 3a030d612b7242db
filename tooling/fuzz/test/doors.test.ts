import { runs as sampleOf } from "@tooling/test/property";
import { describe, expect, test } from "vitest";
import type { Door, GivenCall } from "../src/doors/door.ts";
import { doorNames, doorProtocols, openDoor } from "../src/doors/index.ts";
import { createDoorSubject } from "../src/doors/subject.ts";
import { parseOptions } from "../src/options.ts";
import { formatCounterexample } from "../src/report.ts";
import { fuzz } from "../src/run.ts";

const seed = 20_261_128;
const asked = doorNames.flatMap((door) =>
  doorProtocols[door].map((protocol) => [door, protocol] as const),
);

describe.each(asked)("%s, %s", (door, protocol) => {
  test("gives out the calls of finished replies that it can read, and no other", async () => {
    const runs = sampleOf(400);
    const { counterexample, tally } = await fuzz({ protocol, door, runs, seed });
    expect(counterexample && formatCounterexample(protocol, counterexample)).toBeUndefined();
    expect(tally.replies).toBe(runs);
    expect(tally.given).toBeGreaterThan(0);
  });
});

test("the table of protocols is that of the models", async () => {
  for (const name of doorNames)
    expect(Object.keys((await openDoor(name)).models)).toEqual(doorProtocols[name]);
});

/** A library that gives out these calls behind its middleware. */
const doorThatGives = (given: readonly GivenCall[]): Door => ({
  takes: () => true,
  read: (protocol, received, host) => protocol.read(received, host),
  models: {
    ollama: {
      ollama: () => ({
        ask: async ({ isGuarded }) => (isGuarded ? given : [{ name: "now", input: {} }]),
      }),
    },
  },
});

const line = (end: object): string =>
  JSON.stringify({
    model: "m",
    created_at: "2026-11-28T00:00:00Z",
    message: {
      role: "assistant",
      content: "",
      tool_calls: [{ function: { name: "now", arguments: {} } }],
    },
    ...end,
  });
const finished = line({ done: true, done_reason: "stop", eval_count: 9 });

test.each([
  ["gives out a call of an unfinished reply", "unfinished", ["now"], line({ done: false })],
  ["gives out another call", "lost", ["read"], finished],
  ["gives out a call twice", "lost", ["now", "now"], finished],
  ["gives out nothing of a finished reply", "withheld", [], finished],
  ["gives out the call of a finished reply", undefined, ["now"], finished],
] as const)("a library that %s: %s", async (_, property, names, data) => {
  const subject = createDoorSubject(
    "ollama",
    doorThatGives(names.map((name) => ({ name, input: {} }))),
  );
  const { broken } = await subject.ask({
    written: {
      frames: [{ data }],
      whole: false,
      host: "ollama",
      truth: { verdict: "undecided", because: "", calls: [], sure: false, orderly: false },
      source: undefined,
    },
    layout: {
      newline: "\n",
      tight: false,
      names: false,
      comments: false,
      dataComments: false,
      open: false,
      chunks: [1000],
    },
    damages: [],
  });
  expect(broken?.property).toBe(property);
});

test("the report names the door, and the command reads it", () => {
  expect(parseOptions(["--door", "ai-sdk", "--protocol", "interactions"])).toMatchObject({
    door: "ai-sdk",
    protocols: ["interactions"],
  });
  expect(parseOptions(["--door", "langchain", "--protocol", "ollama"])).toHaveProperty("wrong");
  expect(parseOptions(["--door", "elsewhere"])).toHaveProperty("wrong");
});
