import { conform } from "@fullstop/conformance/vitest";
import { isFull } from "@tooling/test/full";
import { places, sampled } from "@tooling/test/sample";
import subject from "./subject.ts";

conform(sampled(subject), { sample: places() });

/** The other fixtures are cut only at critical bytes: every byte of all would take half a minute. */
const { fixtures = [], name, nativeStops } = subject.wire;
const { stop = "", length = "" } = nativeStops;
const wire = {
  ...subject.wire,
  name: `${name}, every byte`,
  nativeStops: { stop, length },
  fixtures: fixtures.slice(0, 1),
};
if (isFull) conform({ ...subject, wire }, { exhaustive: true, only: "stop.cut", sockets: false });
