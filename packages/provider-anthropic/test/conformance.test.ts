import type { AdapterSubject } from "@fullstop/conformance";
import { conform } from "@fullstop/conformance/vitest";
import { anthropicWire } from "@fullstop/conformance/wires/anthropic";
import { anthropic } from "@fullstop/provider-anthropic";

const subject: AdapterSubject = {
  wire: anthropicWire,
  adapter: (endpoint) => anthropic("claude-sonnet-5-5", { apiKey: "key", ...endpoint }),
};
conform(subject);

/** Fixtures are cut only at critical bytes: cutting them at every byte takes a minute. */
const { fixtures: _, nativeStops, ...bare } = anthropicWire;
const { stop = "", length = "" } = nativeStops;
conform(
  {
    ...subject,
    wire: { ...bare, name: `${bare.name}, every byte`, nativeStops: { stop, length } },
  },
  { exhaustive: true, only: "stop.cut", sockets: false },
);
