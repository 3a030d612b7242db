import type { Wire } from "@fullstop/conformance";
import { conform } from "@fullstop/conformance/vitest";
import { openai } from "@fullstop/provider-openai";
import { isFull } from "@tooling/test/full";
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
const all = ["call", "error", "request", "stop", "turn"];
/** What a host writes in its own way: ends, errors and requests. Its calls are those of OpenAI. */
const families = isFull ? all : ["call.none-lost", "call.once", "error", "request", "stop"];
const openrouter = { model: "anthropic/claude-opus-5", baseURL: "https://openrouter.ai/api/v1" };

const hosts: readonly Host[] = [
  { wire: openrouterWire, ...openrouter, families },
  {
    wire: openrouterDoneWire,
    ...openrouter,
    families: isFull ? ["call", "stop", "turn"] : ["stop"],
  },
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
