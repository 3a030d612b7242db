import { replays } from "@fullstop/conformance/vitest";
import { geminiWire } from "@fullstop/conformance/wires/gemini";
import { interactionsWire } from "@fullstop/conformance/wires/gemini-interactions";
import { google, googleInteractions } from "@fullstop/provider-google";
import { places } from "@tooling/test/sample";

replays(
  {
    wire: geminiWire,
    adapter: (endpoint) => google("gemini-3.1-pro", { apiKey: "key", ...endpoint }),
  },
  { sample: places() },
);
replays(
  {
    wire: interactionsWire,
    adapter: (endpoint) => googleInteractions("gemini-3.8-flash", { apiKey: "key", ...endpoint }),
  },
  { sample: places() },
);
