import { conform } from "@fullstop/conformance/vitest";
import type { Endpoint } from "@fullstop/core";
import { type DialectName, dialects, openaiCompatible } from "@fullstop/provider-openai-compatible";
import { isFull } from "@tooling/test/full";
import { places } from "@tooling/test/sample";
import { differingReplies, differingRequests } from "./differing.ts";
import { rows } from "./rows.ts";
import { wireOf } from "./wire.ts";

const askedForObjects: ReadonlySet<string> = new Set(["azure", "ollama"]);

/**
 * What the flags of a host for replies can change: which call is which, what ends a reply, and what
 * it counts. The sample asks the first host about the rest.
 */
const aboutReplies = isFull
  ? ["call", "stop", "turn"]
  : [
      "call.closed",
      "call.ids-unique",
      "call.input-exact",
      "call.none-lost",
      "call.once",
      "call.one-reply",
      "call.said-twice",
      "stop.cap",
      "stop.cap-unproven",
      "stop.content-after",
      "stop.cut",
      "stop.later-prefix",
      "stop.no-call",
      "stop.no-word",
      "stop.whole",
      "stop.words",
      "turn.reason-kept",
      "turn.text-kept",
      "turn.usage",
    ];

/**
 * All families but `wire`: the connection is the same for all hosts, and the first one is asked. The
 * hosts ask for an object in one of two ways, and these two are asked for it.
 */
const askedOf = (name: string): readonly string[] => [
  // Of a host whose replies differ from those of others in nothing, all are read once.
  ...(differingReplies.has(name) ? aboutReplies : ["stop.whole"]),
  ...(differingRequests.has(name) ? ["error", "request"] : []),
  ...(askedForObjects.has(name) ? ["output"] : []),
];
/** All hosts have one decoder. */
const sample = places(12);
/** The client is the one of OpenAI, whose tests ask about the connection. */
const ofFirst = isFull ? [undefined] : ["call", "error", "output", "request", "stop", "turn"];

const redirectTo =
  (server: string | undefined): typeof fetch =>
  (input, init) => {
    const { pathname, search } = new URL(input instanceof Request ? input.url : input);
    return fetch(new URL(`${pathname}${search}`, server), init);
  };

for (const [index, [name, row]] of Object.entries(rows).entries()) {
  // A host that omits the `finish_reason` may do so only at its own address, so its requests are redirected.
  const { baseURL, doneEnds, matchedStop } = dialects[name as DialectName];
  const create = (endpoint: Endpoint, stream: boolean) =>
    openaiCompatible(name as DialectName, "m", {
      apiKey: "key",
      stream,
      // What the host reports as matched is its own end if the request names no stop sequence.
      ...(matchedStop && { params: { stop: ["END"] } }),
      ...endpoint,
      ...(doneEnds === true && { baseURL, fetch: endpoint.fetch ?? redirectTo(endpoint.baseURL) }),
    });
  const subject = {
    wire: wireOf(name, row),
    adapter: (endpoint: Endpoint) => create(endpoint, true),
    wholeAdapter: (endpoint: Endpoint) => create(endpoint, false),
    ...(row.notClaimed && { notClaimed: row.notClaimed }),
  };
  for (const only of index === 0 ? ofFirst : askedOf(name))
    conform(subject, { only, sample: index === 0 ? places() : sample, sockets: false });
}
