import type { AdapterSubject } from "@fullstop/conformance";
import { anthropicWire } from "@fullstop/conformance/wires/anthropic";
import { anthropic } from "@fullstop/provider-anthropic";
import { guard } from "../src/index.ts";

/** Adapters behind the guard, one for each protocol. */
export const anthropicSubject: AdapterSubject = {
  wire: anthropicWire,
  adapter: (endpoint) => anthropic("claude-sonnet-5-5", { apiKey: "key", ...endpoint }),
  guard: (fetch) => guard(fetch),
};
