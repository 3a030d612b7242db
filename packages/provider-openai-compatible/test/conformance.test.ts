import { conform } from "@fullstop/conformance/vitest";
import type { Endpoint } from "@fullstop/core";
import { type DialectName, openaiCompatible } from "@fullstop/provider-openai-compatible";
import { rows } from "./rows.ts";
import { wireOf } from "./wire.ts";

/** All families but `wire`: the connection is the same for all hosts, and the first one is asked. */
const families = ["call", "error", "output", "request", "stop", "turn"];

for (const [index, [name, row]] of Object.entries(rows).entries()) {
  const adapter = (endpoint: Endpoint) =>
    openaiCompatible(name as DialectName, "m", {
      apiKey: "key",
      baseURL: "http://provider.test/v1",
      ...endpoint,
    });
  const subject = {
    wire: wireOf(name, row),
    adapter,
    ...(row.notClaimed && { notClaimed: row.notClaimed }),
  };
  if (index === 0) conform(subject, { sockets: false });
  else for (const only of families) conform(subject, { only, sockets: false });
}
