import type { AdapterSubject, Fixture, Wire } from "@fullstop/conformance";
import { conform } from "@fullstop/conformance/vitest";
import { anthropicWire } from "@fullstop/conformance/wires/anthropic";
import { openaiChatWire } from "@fullstop/conformance/wires/openai-chat";
import { openaiResponsesWire } from "@fullstop/conformance/wires/openai-responses";
import type { Endpoint } from "@fullstop/core";
import { copilot } from "@fullstop/provider-copilot";
import { isFull } from "@tooling/test/full";
import { places, sampled } from "@tooling/test/sample";
import { echoedCalls, rotatingIds, splitChoices } from "./wires.ts";

const adapterFor = (model: string) => (endpoint: Endpoint) =>
  copilot(model, {
    token: async () => ({ token: "copilot-token" }),
    baseURL: endpoint.baseURL,
    fetch: endpoint.fetch,
  });
/** The adapter of the protocol is tested with the protocol's fixtures. */
const withoutFixtures = ({ fixtures: _, ...wire }: Wire): Wire => wire;
const renamed = (wire: Wire, name: string): Wire => ({ ...wire, name: `${wire.name}, ${name}` });
/**
 * Item ids matter for calls and reasoning. The protocol's adapter is tested with the other items.
 */
const hasOnlyCallsAndReasoning = ({ frames }: Fixture): boolean =>
  [...frames.upToTerminal, ...(frames.after ?? [])]
    .flatMap((frame): readonly Item[] => {
      const { item, response } = JSON.parse(frame) as { item?: Item; response?: Response };
      return [...(item ? [item] : []), ...(response?.output ?? [])];
    })
    .every(({ type }) => ["function_call", "reasoning", "message"].includes(type));
interface Item {
  readonly type: string;
}
interface Response {
  readonly output?: readonly Item[];
}
/** Copilot changes the ids of calls, so that no call is sent back with its item id. */
const withoutCallIds = ({ replays = [], ...fixture }: Fixture): Fixture => ({
  ...fixture,
  replays: replays.filter((value) => !isCallWithId(value)),
});
const isCallWithId = (value: unknown): boolean =>
  typeof value === "object" &&
  value !== null &&
  "id" in value &&
  "type" in value &&
  value.type === "function_call";
const fixtures = (openaiResponsesWire.fixtures ?? [])
  .filter(hasOnlyCallsAndReasoning)
  .map(withoutCallIds);

/** The adapters of the protocols test the transport, and all places of each reply. */
function ask(subject: AdapterSubject, ...families: readonly string[]): void {
  for (const only of isFull ? [undefined] : families)
    conform(sampled(subject), { only, sockets: false, sample: places(12) });
}

ask(
  {
    wire: renamed(
      splitChoices(echoedCalls(withoutFixtures(openaiChatWire))),
      "Copilot's split choices and echoes",
    ),
    adapter: adapterFor("gpt-4.1"),
  },
  "call",
  "error.status",
  "request.valid",
  "request.results",
  "stop",
);
ask(
  {
    wire: renamed(rotatingIds({ ...openaiResponsesWire, fixtures }), "Copilot's rotating ids"),
    adapter: adapterFor("gpt-5.5"),
    notClaimed: {
      "stop.no-call":
        "the protocol has no stop reason for calls: `completed` without a call is a finished text",
    },
  },
  "call.ids-unique",
  "call.none-lost",
  "call.once",
  "call.one-reply",
  "call.said-twice",
  "request",
  "stop.whole",
  "stop.words",
);
// Messages are those of Anthropic: only the address and the token differ.
ask(
  {
    wire: renamed(withoutFixtures(anthropicWire), "Copilot"),
    adapter: adapterFor("claude-sonnet-5"),
  },
  "request",
  "stop.whole",
);
