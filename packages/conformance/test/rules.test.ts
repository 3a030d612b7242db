import type { RuleResult } from "@fullstop/core";
import { expect, test } from "vitest";
// @boundaries-ignore this test changes the table of the gate
import { rules } from "../../core/src/gate/rules.ts";
// @boundaries-ignore a protocol that closes no call: the adapter stands on this package
import { openaiChat } from "../../provider-openai/src/index.ts";
import { judge, type Subject, type Verdict } from "../src/index.ts";
import { openaiChatWire } from "../src/wires/openai-chat/index.ts";
import acme from "./acme.ts";

const chat: Subject = {
  wire: { ...openaiChatWire, fixtures: [] },
  adapter: (endpoint) => openaiChat("gpt-5.2", { apiKey: "key", ...endpoint }),
};

/** For each rule of the gate a clause that is broken without it, and whom it is asked of. */
const breaks: Readonly<Record<RuleResult["rule"], readonly [clause: string, subject: Subject]>> = {
  notAborted: ["stop.abort", acme],
  noProviderError: ["error.in-band", acme],
  readable: ["wire.malformed-frame", acme],
  transportIntact: ["wire.reset", chat],
  ended: ["stop.cut", acme],
  finished: ["stop.words", acme],
  callsPermitted: ["stop.whole", acme],
  belowCap: ["stop.cap", acme],
  inputsClosed: ["call.closed", acme],
  callsNamed: ["call.named", acme],
  inputsNotMissing: ["call.required", acme],
  inputsValid: ["call.invalid-json", acme],
  hasRequestedCall: ["stop.no-call", acme],
};

const table = rules as Record<string, unknown>;
const all = { ...table };
function withRules(kept: (name: string) => boolean): void {
  for (const name of Object.keys(all)) delete table[name];
  Object.assign(table, Object.fromEntries(Object.entries(all).filter(([name]) => kept(name))));
}

async function verdictOf(name: RuleResult["rule"]): Promise<Verdict["status"] | undefined> {
  const [only, subject] = breaks[name];
  for await (const { status } of judge(subject, { only, first: true })) return status;
  return undefined;
}

test.for(Object.keys(all) as readonly RuleResult["rule"][])(
  "the rule `%s` is needed: without it a clause is broken",
  async (name) => {
    expect(await verdictOf(name)).toBe("kept");
    withRules((other) => other !== name);
    try {
      expect(await verdictOf(name)).toBe("broken");
    } finally {
      withRules(() => true);
    }
  },
);
