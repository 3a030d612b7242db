import { replays } from "@fullstop/conformance/vitest";
import { geminiWire } from "@fullstop/conformance/wires/gemini";
import { google } from "@fullstop/provider-google";
import { places } from "@tooling/test/sample";

replays(
  {
    wire: geminiWire,
    adapter: (endpoint) => google("gemini-3.1-pro", { apiKey: "key", ...endpoint }),
  },
  { sample: places() },
);
