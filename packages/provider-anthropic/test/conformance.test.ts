import type { AdapterSubject } from "@fullstop/conformance";
import { conform } from "@fullstop/conformance/vitest";
import { anthropicWire } from "@fullstop/conformance/wires/anthropic";
import { anthropic } from "@fullstop/provider-anthropic";
import { isFull } from "@tooling/test/full";
import { places, sampled } from "@tooling/test/sample";

const subject: AdapterSubject = {
  wire: anthropicWire,
  adapter: (endpoint) => anthropic("claude-sonnet-5-5", { apiKey: "key", ...endpoint }),
};
conform(sampled(subject), { sample: places() });

/** Fixtures are cut only at critical bytes: cutting them at every byte takes a minute. */
const { fixtures: _, nativeStops, ...bare } = anthropicWire;
const { stop = "", length = "" } = nativeStops;
if (isFull)
  conform(
    {
      ...subject,
      wire: { ...bare, name: `${bare.name}, every byte`, nativeStops: { stop, length } },
    },
    { exhaustive: true, only: "stop.cut", sockets: false },
  );
