import type { Wire } from "@fullstop/conformance";
import { conform } from "@fullstop/conformance/vitest";
import { openai } from "@fullstop/provider-openai";
import { places } from "@tooling/test/sample";
import { openrouterDoneWire, openrouterWire } from "./openrouter-wire.ts";
import { xaiWire } from "./xai-wire.ts";

interface Host {
  readonly wire: Wire;
  readonly model: string;
  readonly baseURL: string;
  readonly families: readonly string[];
}

/** All families but `wire`: the connection is that of OpenAI, which is asked over sockets too. */
const families = ["call", "error", "request", "stop", "turn"];
const openrouter = { model: "anthropic/claude-opus-5", baseURL: "https://openrouter.ai/api/v1" };

const hosts: readonly Host[] = [
  { wire: openrouterWire, ...openrouter, families },
  { wire: openrouterDoneWire, ...openrouter, families: ["call", "stop", "turn"] },
  { wire: xaiWire, model: "grok-4.7", baseURL: "https://api.x.ai/v1", families },
];

for (const { wire, model, baseURL, families: asked } of hosts)
  for (const only of asked)
    conform(
      {
        wire,
        adapter: ({ fetch }) => openai(model, { apiKey: "key", baseURL, fetch }),
        notClaimed: {
          "stop.no-call":
            "the protocol has no native stop reason for calls: `completed` without a call is a finished text",
        },
      },
      { only, sample: places(12), sockets: false },
    );
