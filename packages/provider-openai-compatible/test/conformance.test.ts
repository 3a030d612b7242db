import { conform } from "@fullstop/conformance/vitest";
import type { Endpoint } from "@fullstop/core";
import { type DialectName, dialects, openaiCompatible } from "@fullstop/provider-openai-compatible";
import { rows } from "./rows.ts";
import { wireOf } from "./wire.ts";

/**
 * All families but `wire`: the connection is the same for all hosts, and the first one is asked. The
 * hosts ask for an object in one of two ways, and these two are asked for it.
 */
const families = ["call", "error", "request", "stop", "turn"];
/** Places of each reply: the first host is asked at all of them, and all have one decoder. */
const sample = 12;
const askedForObjects: ReadonlySet<string> = new Set(["azure", "ollama"]);

const redirectTo =
  (server: string | undefined): typeof fetch =>
  (input, init) => {
    const { pathname, search } = new URL(input instanceof Request ? input.url : input);
    return fetch(new URL(`${pathname}${search}`, server), init);
  };

for (const [index, [name, row]] of Object.entries(rows).entries()) {
  // A host that omits the `finish_reason` may do so only at its own address, so its requests are redirected.
  const { baseURL, doneEnds } = dialects[name as DialectName];
  const adapter = (endpoint: Endpoint) =>
    openaiCompatible(name as DialectName, "m", {
      apiKey: "key",
      ...endpoint,
      ...(doneEnds === true && { baseURL, fetch: endpoint.fetch ?? redirectTo(endpoint.baseURL) }),
    });
  const subject = {
    wire: wireOf(name, row),
    adapter,
    ...(row.notClaimed && { notClaimed: row.notClaimed }),
  };
  if (index === 0) conform(subject, { sockets: false });
  else
    for (const only of askedForObjects.has(name) ? [...families, "output"] : families)
      conform(subject, { only, sample, sockets: false });
}
