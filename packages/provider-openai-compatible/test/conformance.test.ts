import type { Wire } from "@fullstop/conformance";
import { conform } from "@fullstop/conformance/vitest";
import { openaiChatWire } from "@fullstop/conformance/wires/openai-chat";
import type { Endpoint } from "@fullstop/core";
import { type DialectName, openaiCompatible } from "@fullstop/provider-openai-compatible";
import { terse, usageWithFinishReason, withoutUsageIfUnfinished } from "./quirks/endings.ts";
import { type Row, rows } from "./rows.ts";

/** The wire of the host, with only its own fixtures: those of the protocol are proven once. */
function wireOf(
  name: string,
  { quirk = usageWithFinishReason, fixtures, errors = [], failures = [] }: Row,
): Wire {
  const { fixtures: _, ...base } = withoutUsageIfUnfinished(quirk(terse(openaiChatWire)));
  return {
    ...base,
    name: `${openaiChatWire.name}, ${name}`,
    ...(fixtures && { fixtures }),
    errors: [...(base.errors ?? []), ...errors],
    failures: [...(base.failures ?? []), ...failures],
  };
}

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
