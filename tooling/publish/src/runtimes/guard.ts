import { conform } from "@fullstop/conformance/vitest";
import { anthropicWire } from "@fullstop/conformance/wires/anthropic";
import { guard } from "@fullstop/guard";
import { anthropic } from "@fullstop/provider-anthropic";

/** An adapter behind the guard, with an SDK that runs on each runtime. */
conform(
  {
    wire: anthropicWire,
    adapter: (endpoint) => anthropic("claude-sonnet-5-5", { apiKey: "key", ...endpoint }),
    guard: (fetch) =>
      guard(fetch, {
        host: () => ({}),
        onUnguarded: () => undefined,
        maxHeld: 16 * 1024 * 1024,
        closeMs: 0,
      }),
  },
  // The tests of the guard try more places. Here only the runtime differs.
  { sample: 3 },
);
