import { existsSync } from "node:fs";
import type { Adapter } from "@fullstop/core";
import type { Emit, EventBatches, TurnEvent } from "@fullstop/core/adapter";
import { describe, expect, it } from "vitest";
import { type DemoEvent, playDemo } from "../src/demo/demo.ts";
import { expectedFiles } from "../src/demo/project.ts";
import {
  type Provider,
  type ProviderName,
  providerNames,
  providers,
} from "../src/demo/providers.ts";
import { exchanges, permittedCalls, scriptedRuns } from "../src/demo/script.ts";
import { type Evidence, judge } from "../src/demo/verdict.ts";

/** An adapter with other events. */
const withEvents =
  (change: (event: TurnEvent, emit: Emit) => void) =>
  (real: Adapter): Adapter => ({
    ...real,
    decoder: (emit) => real.decoder((event) => change(event, emit)),
  });
const isJson = (text: string): boolean => {
  try {
    return JSON.parse(text) !== undefined;
  } catch {
    return false;
  }
};
/** Closes the JSON of a cut input, as streaming parsers do. */
const repairingJson = (real: Adapter): Adapter => ({
  ...real,
  decoder: (emit) => {
    let text = "";
    return real.decoder((event) => {
      if (event.type === "tool-input-start") text = "";
      if (event.type === "tool-input-delta") text += event.text;
      emit(
        event.type === "tool-input-end" && !isJson(text) ? { ...event, text: `${text}"}` } : event,
      );
    });
  },
});
/** Treats a lost connection as the end of the reply. */
const ignoringLostConnections = (real: Adapter): Adapter => ({
  ...real,
  open: async (request, signal) => {
    const batches = await real.open(request, signal);
    return { [Symbol.asyncIterator]: () => finishedWhenLost(batches) };
  },
});
async function* finishedWhenLost(
  batches: EventBatches<unknown>,
): AsyncGenerator<readonly unknown[]> {
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
/** Permits calls under this native stop reason. */
const permittingCallsAfter =
  (nativeStop: string) =>
  (real: Adapter): Adapter => ({ ...real, stops: { ...real.stops, [nativeStop]: "tool-use" } });
/** Reports no usage, and does not declare that its host mislabels truncated replies. */
const withoutUsage = (real: Adapter): Adapter => ({
  ...withEvents((event, emit) => event.type !== "usage" && emit(event))(real),
  mislabelsTruncation: false,
});
/** Drops the usage that comes with this native stop reason. */
const withoutUsageAt =
  (nativeStop: string) =>
  (real: Adapter): Adapter => ({
    ...real,
    decoder: (emit) => real.decoder(dropUsageAt(nativeStop, emit)),
  });
function dropUsageAt(nativeStop: string, emit: Emit): Emit {
  let usage: TurnEvent | undefined;
  return (event) => {
    if (event.type === "usage") {
      usage = event;
      return;
    }
    if (event.type === "stop" && event.native !== nativeStop && usage !== undefined) emit(usage);
    emit(event);
  };
}

type BrokenAdapter = readonly [what: string, adapt: (real: Adapter) => Adapter, finding: RegExp];
const brokenAnthropic: readonly BrokenAdapter[] = [
  [
    "treats a lost connection as the end",
    (real) => repairingJson(ignoringLostConnections(real)),
    /write style\.css must not run/,
  ],
  [
    "permits calls of a reply that was cut at the cap",
    (real) => withoutUsageAt("max_tokens")(repairingJson(permittingCallsAfter("max_tokens")(real))),
    /write index\.html must not run/,
  ],
  [
    "never sends the larger cap",
    (real) => ({
      ...real,
      open: (request, signal) => real.open({ ...request, maxTokens: 240 }, signal),
    }),
    /Request 3: .*cap is 240/,
  ],
];

/** How the adapter of any provider can be broken. */
const brokenAdapters = ({ protocol: { wire } }: Provider): readonly BrokenAdapter[] => [
  [
    "does not compare usage with the cap",
    withoutUsage,
    /write clean\.sh must not run.*"path":"clean\.sh"/,
  ],
  [
    "treats a filtered reply as finished",
    permittingCallsAfter(wire.nativeStops["content-filter"] ?? "none"),
    /write config\.js must not run.*"path":"config\.js"/,
  ],
];
const brokenByProvider: readonly (readonly [ProviderName, BrokenAdapter])[] = [
  ...brokenAnthropic.map((one) => ["anthropic", one] as const),
  ...providerNames.flatMap((name) =>
    brokenAdapters(providers[name]).map((one) => [name, one] as const),
  ),
];

describe("the demo's verdict", () => {
  for (const [provider, [what, adapt, finding]] of brokenByProvider) {
    it(`is not ok if the adapter of ${provider} ${what}`, async () => {
      const events: DemoEvent[] = [];
      const verdict = await playDemo({
        provider,
        onEvent: (event) => events.push(event),
        signal: new AbortController().signal,
        adapt,
      });
      expect(verdict?.ok).toBe(false);
      expect(verdict?.checks.flatMap(({ findings }) => findings)).toContainEqual(
        expect.stringMatching(finding),
      );
      const start = events.find((event) => event.type === "start");
      expect(existsSync(start?.folder ?? "")).toBe(false);
    });
  }
});

describe("the judge", () => {
  let evidence: Evidence;
  const collectEvidence = async (): Promise<Evidence> => {
    const turns: Evidence["turns"][number][] = [];
    await playDemo({
      provider: "anthropic",
      onEvent: (event) => event.type === "turn" && turns.push(event.turn),
      signal: new AbortController().signal,
    });
    return {
      files: expectedFiles,
      executed: permittedCalls,
      requests: exchanges.map(({ cap }, n) => ({ reply: n + 1, cap, messages: 1, problems: [] })),
      turns,
      outcomes: scriptedRuns.map(({ status }) => status),
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
    "a missing file": ({ files }) => ({ files: new Map([...files].slice(1)) }),
    "an unexpected file": ({ files }) => ({ files: new Map([...files, [".env", ""]]) }),
    "a reply with another verdict": ({ turns }) => ({
      turns: turns.map((turn, n) => turns[n === 1 ? 3 : n] ?? turn),
    }),
    "a request with a problem": ({ requests: [first, ...rest] }) => ({
      requests: first ? [{ ...first, problems: ["Odd."] }, ...rest] : rest,
    }),
    "a missing request": ({ requests }) => ({ requests: requests.slice(1) }),
    "a run with another status": () => ({ outcomes: ["done", "done"] }),
  };

  it("accepts an honest run", async () => {
    evidence = await collectEvidence();
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
