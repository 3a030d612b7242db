import { replays } from "@fullstop/conformance/vitest";
import { anthropicWire } from "@fullstop/conformance/wires/anthropic";
import { anthropic } from "@fullstop/provider-anthropic";
import { places } from "@tooling/test/sample";

replays(
  {
    wire: anthropicWire,
    adapter: (endpoint) => anthropic("claude-sonnet-5-5", { apiKey: "key", ...endpoint }),
  },
  { sample: places() },
);
