import type { Wire } from "@fullstop/conformance";
import { openaiChatWire } from "@fullstop/conformance/wires/openai-chat";
import { terse, usageWithFinishReason, withoutUsageIfUnfinished } from "./quirks/endings.ts";
import type { Row } from "./row.ts";

/** The wire of the host, with only its own fixtures: those of the protocol are proven once. */
export function wireOf(
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
