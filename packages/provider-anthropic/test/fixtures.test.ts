import { replays } from "@fullstop/conformance/vitest";
import { anthropicWire } from "@fullstop/conformance/wires/anthropic";
import { anthropic } from "@fullstop/provider-anthropic";

replays({
  wire: anthropicWire,
  adapter: (endpoint) => anthropic("claude-sonnet-5-5", { apiKey: "key", ...endpoint }),
});
