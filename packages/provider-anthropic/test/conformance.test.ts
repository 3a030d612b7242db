import { conform } from "@fullstop/conformance/vitest";
import { anthropicWire } from "@fullstop/conformance/wires/anthropic";
import { anthropic } from "@fullstop/provider-anthropic";

conform(
  { wire: anthropicWire, adapter: (endpoint) => anthropic("claude-sonnet-5-5", { apiKey: "key", ...endpoint }) },
  { exhaustive: true },
);
