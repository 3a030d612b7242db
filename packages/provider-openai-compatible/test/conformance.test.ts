import { conform } from "@fullstop/conformance/vitest";
import type { Endpoint } from "@fullstop/core";
import { type DialectName, openaiCompatible } from "@fullstop/provider-openai-compatible";
import { rows } from "./rows.ts";
import { wireOf } from "./wire.ts";

for (const [name, row] of Object.entries(rows)) {
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
  conform(subject, { sockets: false });
}
