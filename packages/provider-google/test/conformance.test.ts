import type { AdapterSubject } from "@fullstop/conformance";
import { conform } from "@fullstop/conformance/vitest";
import { geminiWire } from "@fullstop/conformance/wires/gemini";
import { google } from "@fullstop/provider-google";
import { isFull } from "@tooling/test/full";
import { places, sampled } from "@tooling/test/sample";

const subject: AdapterSubject = {
  wire: geminiWire,
  adapter: (endpoint) => google("gemini-3.1-pro", { apiKey: "key", ...endpoint }),
  notClaimed: { "stop.no-call": "STOP ends replies with calls and without" },
};
conform(sampled(subject), { sample: places() });

/** Fixtures are cut only at critical bytes: cutting them at every byte takes a minute. */
const { fixtures: _, nativeStops, ...bare } = geminiWire;
const { stop = "", length = "" } = nativeStops;
if (isFull)
  conform(
    {
      ...subject,
      wire: { ...bare, name: `${bare.name}, every byte`, nativeStops: { stop, length } },
    },
    { exhaustive: true, only: "stop.cut", sockets: false },
  );
