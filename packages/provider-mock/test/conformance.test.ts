import { sse } from "@fullstop/core/adapter";
import { places } from "@tooling/test/sample";
// @boundaries-ignore the suite stands on the loop, and the tests of the loop on this package
import type { Subject } from "../../conformance/src/index.ts";
// @boundaries-ignore as above
import { conform } from "../../conformance/src/vitest.ts";
import { mock } from "../src/index.ts";
import { wire } from "./wire.ts";

/** The mock, its script in the hands of a server. */
const subject: Subject = {
  wire,
  adapter: ({ baseURL, fetch = globalThis.fetch }) => ({
    ...mock([]),
    open: async (request, signal) =>
      sse(
        await fetch(`${baseURL}/replies`, {
          method: "POST",
          body: JSON.stringify(request),
          signal,
        }),
      ),
  }),
};
conform(subject, { sample: places() });
