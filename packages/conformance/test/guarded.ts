// @boundaries-ignore the guard stands on this package
import { guard } from "../../guard/src/index.ts";
// @boundaries-ignore the adapter stands on this package, too
import { anthropic } from "../../provider-anthropic/src/index.ts";
import type { AdapterSubject } from "../src/index.ts";
import { anthropicWire } from "../src/wires/anthropic/index.ts";

export const guarded: AdapterSubject = {
  wire: anthropicWire,
  adapter: (endpoint) => anthropic("claude-sonnet-5-5", { apiKey: "key", ...endpoint }),
  wholeAdapter: (endpoint) =>
    anthropic("claude-sonnet-5-5", { apiKey: "key", stream: false, ...endpoint }),
  guard: (fetch) => guard(fetch, { onUnguarded: () => undefined, closeMs: 0 }),
};
