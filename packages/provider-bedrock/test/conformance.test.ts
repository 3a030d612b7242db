import { conform } from "@fullstop/conformance/vitest";
import { bedrock } from "@fullstop/provider-bedrock";
import subject from "./subject.ts";
import { wire } from "./wire.ts";

conform(subject);

/** Fixtures are cut only at critical bytes: cutting them at every byte takes a minute. */
const { fixtures: _, nativeStops, ...bare } = wire;
const { stop = "", length = "" } = nativeStops;
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
    {
      wire: { ...wire, name: `${wire.name}, ${model}` },
      adapter: (endpoint) => bedrock(model, { region: "us-west-2", ...endpoint }),
    },
    { only: "request", sockets: false },
  );
