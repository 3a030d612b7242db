import { existsSync } from "node:fs";
import type { Adapter } from "@fullstop/core";
import type { Emit, EventBatches, TurnEvent } from "@fullstop/core/adapter";
import { describe, expect, it } from "vitest";
import { demo } from "../src/demo/demo.ts";
import type { DemoEvent } from "../src/demo/event.ts";
import { finished } from "../src/demo/project.ts";
import {
  type Provider,
  type ProviderName,
  providerNames,
  providers,
} from "../src/demo/providers.ts";
import { allowed, scenes, steps } from "../src/demo/script.ts";
import { type Evidence, judge } from "../src/demo/verdict.ts";

/** An adapter whose decoder says other things. */
const saying =
  (change: (event: TurnEvent, emit: Emit) => void) =>
  (real: Adapter): Adapter => ({
    ...real,
    decoder: (emit) => real.decoder((event) => change(event, emit)),
  });
const isWhole = (text: string): boolean => {
  try {
    return JSON.parse(text) !== undefined;
  } catch {
    return false;
  }
};
/** Closes the JSON of a cut input, as streaming parsers do. */
const repairing = (real: Adapter): Adapter => ({
  ...real,
  decoder: (emit) => {
    let text = "";
    return real.decoder((event) => {
      if (event.type === "tool-input-start") text = "";
      if (event.type === "tool-input-delta") text += event.text;
      emit(
        event.type === "tool-input-end" && !isWhole(text) ? { ...event, text: `${text}"}` } : event,
      );
    });
  },
});
/** Takes the end of the connection for the end of the reply. */
const trusting = (real: Adapter): Adapter => ({
  ...real,
  open: async (request, signal) => {
    const batches = await real.open(request, signal);
    return { [Symbol.asyncIterator]: () => untilItBreaks(batches) };
  },
});
async function* untilItBreaks(batches: EventBatches<unknown>): AsyncGenerator<readonly unknown[]> {
  try {
    yield* batches;
  } catch {
    const end = {
      type: "message_delta",
      delta: { stop_reason: "tool_use" },
      usage: { output_tokens: 9 },
    };
    yield [{ type: "content_block_stop", index: 1 }, end, { type: "message_stop" }];
  }
}
const calling =
  (word: string) =>
  (real: Adapter): Adapter => ({ ...real, stops: { ...real.stops, [word]: "tool-use" } });
/** Nor does it say of its host that it relabels. */
const withoutUsage = (real: Adapter): Adapter => ({
  ...saying((event, emit) => event.type !== "usage" && emit(event))(real),
  mislabelsTruncation: false,
});
/** Drops the usage that comes with a word. */
const withoutUsageAt =
  (word: string) =>
  (real: Adapter): Adapter => ({
    ...real,
    decoder: (emit) => real.decoder(hidingUsage(word, emit)),
  });
function hidingUsage(word: string, emit: Emit): Emit {
  let usage: TurnEvent | undefined;
  return (event) => {
    if (event.type === "usage") {
      usage = event;
      return;
    }
    if (event.type === "stop" && event.native !== word && usage !== undefined) emit(usage);
    emit(event);
  };
}

type Broken = readonly [what: string, adapt: (real: Adapter) => Adapter, finding: string];
const broken: readonly Broken[] = [
  [
    "takes a broken connection for an end",
    (real) => repairing(trusting(real)),
    "write style.css ran and must not",
  ],
  [
    "runs what was cut at the cap",
    (real) => withoutUsageAt("max_tokens")(repairing(calling("max_tokens")(real))),
    "write index.html ran and must not",
  ],
  [
    "never sends the larger cap",
    (real) => ({
      ...real,
      open: (request, signal) => real.open({ ...request, maxTokens: 240 }, signal),
    }),
    "Request 3: Its cap is 240, and should be 400.",
  ],
];

/** Ways to break that every adapter has. */
const brokenEach = ({ protocol: { wire } }: Provider): readonly Broken[] => [
  [
    "does not compare usage with the cap",
    withoutUsage,
    'write clean.sh ran and must not: {"path":"clean.sh","cont',
  ],
  [
    "takes a filtered reply for a finished one",
    calling(wire.nativeStops["content-filter"] ?? "none"),
    'write config.js ran and must not: {"path":"config.js"',
  ],
];
const sabotaged: readonly (readonly [ProviderName, Broken])[] = [
  ...broken.map((one) => ["anthropic", one] as const),
  ...providerNames.flatMap((name) =>
    brokenEach(providers[name]).map((one) => [name, one] as const),
  ),
];

describe("the demo's verdict", () => {
  for (const [provider, [what, adapt, finding]] of sabotaged) {
    it(`is broken when the adapter of ${provider} ${what}`, async () => {
      const events: DemoEvent[] = [];
      const verdict = await demo({
        provider,
        show: (event) => events.push(event),
        signal: new AbortController().signal,
        adapt,
      });
      expect(verdict?.ok).toBe(false);
      expect(verdict?.checks.flatMap(({ findings }) => findings)).toContainEqual(
        expect.stringContaining(finding),
      );
      const start = events.find((event) => event.type === "start");
      expect(existsSync(start?.folder ?? "")).toBe(false);
    });
  }
});

describe("the judge", () => {
  let evidence: Evidence;
  const real = async (): Promise<Evidence> => {
    const turns: Evidence["turns"][number][] = [];
    await demo({
      provider: "anthropic",
      show: (event) => event.type === "turn" && turns.push(event.turn),
      signal: new AbortController().signal,
    });
    return {
      files: finished,
      executed: allowed,
      asked: steps.map(({ cap }, n) => ({ reply: n + 1, cap, messages: 1, surprises: [] })),
      turns,
      outcomes: scenes.map(({ status }) => status),
    };
  };
  const forged: Readonly<Record<string, (honest: Evidence) => Partial<Evidence>>> = {
    "a call that ran twice": ({ executed }) => ({
      executed: [...executed, ...executed.slice(0, 1)],
    }),
    "a call that did not run": ({ executed }) => ({ executed: executed.slice(1) }),
    "a call with another input": ({ executed: [first, ...rest] }) => ({
      executed: [{ name: first?.name ?? "", input: { path: ".." } }, ...rest],
    }),
    "a file with other contents": ({ files }) => ({
      files: new Map([...files, ["clean.sh", "rm -rf ~/"]]),
    }),
    "a file that is missing": ({ files }) => ({ files: new Map([...files].slice(1)) }),
    "a file too many": ({ files }) => ({ files: new Map([...files, [".env", ""]]) }),
    "a reply that was read otherwise": ({ turns }) => ({
      turns: turns.map((turn, n) => turns[n === 1 ? 3 : n] ?? turn),
    }),
    "a request that surprised the server": ({ asked: [first, ...rest] }) => ({
      asked: first ? [{ ...first, surprises: ["Odd."] }, ...rest] : rest,
    }),
    "a request too few": ({ asked }) => ({ asked: asked.slice(1) }),
    "a run that ended otherwise": () => ({ outcomes: ["done", "done"] }),
  };

  it("is content with a run as it should be", async () => {
    evidence = await real();
    expect(judge(evidence)).toMatchObject({ ok: true, replies: 16, ran: 13 });
  });
  for (const [what, forge] of Object.entries(forged)) {
    it(`notices ${what}`, () => {
      const { ok, checks } = judge({ ...evidence, ...forge(evidence) });
      expect(ok).toBe(false);
      expect(checks.flatMap(({ findings }) => findings).join()).not.toBe("");
    });
  }
});
