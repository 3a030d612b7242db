import type { Fixture, Wire } from "@fullstop/conformance";
import { conform } from "@fullstop/conformance/vitest";
import { anthropicWire } from "@fullstop/conformance/wires/anthropic";
import { openaiChatWire } from "@fullstop/conformance/wires/openai-chat";
import { openaiResponsesWire } from "@fullstop/conformance/wires/openai-responses";
import type { Endpoint } from "@fullstop/core";
import { copilot } from "@fullstop/provider-copilot";
import { echoedCalls, rotatingIds, splitChoices } from "./wires.ts";

const speaks = (model: string) => (endpoint: Endpoint) =>
  copilot(model, {
    token: async () => ({ token: "copilot-token" }),
    baseURL: endpoint.baseURL,
    fetch: endpoint.fetch,
  });
/** The fixtures of the protocol itself are proven by its adapter. */
const plain = ({ fixtures: _, ...wire }: Wire): Wire => wire;
const named = (wire: Wire, name: string): Wire => ({ ...wire, name: `${wire.name}, ${name}` });
/** The fixtures that depend on the ids of items: how calls are closed, and what is sent back with reasoning. */
const dependsOnItemIds = ({ name }: Fixture): boolean =>
  /`done`|`\w+_(call|request)`|unknown type of call|only the final response|without a summary|in an incomplete response/.test(
    name,
  );
const { fixtures = [] } = openaiResponsesWire;
/** The transport is that of the protocols' own adapters. */
const elsewhere = { sockets: false } as const;

conform(
  {
    wire: named(
      splitChoices(echoedCalls(plain(openaiChatWire))),
      "Copilot's split choices and echoes",
    ),
    adapter: speaks("gpt-4.1"),
  },
  elsewhere,
);
conform(
  {
    wire: named(
      rotatingIds({ ...openaiResponsesWire, fixtures: fixtures.filter(dependsOnItemIds) }),
      "Copilot's rotating ids",
    ),
    adapter: speaks("gpt-5.5"),
    notClaimed: {
      "stop.no-call":
        "the protocol has no word for calls: `completed` without one is a finished text",
    },
  },
  elsewhere,
);
conform(
  { wire: named(plain(anthropicWire), "Copilot"), adapter: speaks("claude-sonnet-5") },
  elsewhere,
);
