import { conform } from "@fullstop/conformance/vitest";
import type { Endpoint } from "@fullstop/core";
import { bedrock } from "@fullstop/provider-bedrock";
import { isFull } from "@tooling/test/full";
import { places, sampled } from "@tooling/test/sample";
import subject from "./subject.ts";
import { wire } from "./wire.ts";

conform(sampled(subject), { sample: places() });

/** Fixtures are cut only at critical bytes: cutting them at every byte takes a minute. */
const { fixtures: _, nativeStops, ...bare } = wire;
const { stop = "", length = "" } = nativeStops;
if (isFull)
  conform(
    {
      ...subject,
      wire: { ...bare, name: `${bare.name}, every byte`, nativeStops: { stop, length } },
    },
    { exhaustive: true, only: "stop.cut", sockets: false },
  );

/** What a model accepts changes the request, not the reply. */
const otherModels = [
  "us.meta.llama4-maverick-17b-instruct-v1:0",
  "mistral.mistral-large-2407-v1:0",
];
for (const model of otherModels)
  conform(
    sampled({
      wire: { ...wire, name: `${wire.name}, ${model}` },
      adapter: (endpoint: Endpoint) => bedrock(model, { region: "us-west-2", ...endpoint }),
    }),
    { only: "request", sample: places(), sockets: false },
  );
