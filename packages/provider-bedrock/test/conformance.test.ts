import { conform } from "@fullstop/conformance/vitest";
import type { Endpoint } from "@fullstop/core";
import { bedrock } from "@fullstop/provider-bedrock";
import { isFull } from "@tooling/test/full";
import { cutAnywhere, everyByte, places, sampled } from "@tooling/test/sample";
import subject from "./subject.ts";
import { wire } from "./wire.ts";

conform(sampled(subject), { sample: places() });

if (isFull) conform(everyByte(subject), cutAnywhere);

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
