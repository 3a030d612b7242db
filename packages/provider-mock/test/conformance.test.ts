import type { Subject } from "@fullstop/conformance";
import { conform } from "@fullstop/conformance/vitest";
import { sse } from "@fullstop/core/adapter";
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
conform(subject);
