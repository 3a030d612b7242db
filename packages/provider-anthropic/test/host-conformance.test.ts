import { conform } from "@fullstop/conformance/vitest";
import { type AnthropicDialectName, anthropic, dialects } from "@fullstop/provider-anthropic";
import { cover } from "@tooling/test/cover";
import { isFull } from "@tooling/test/full";
import { places } from "@tooling/test/sample";
import { modelOf, wireOf } from "./host-wires.ts";

const names = Object.keys(dialects) as readonly AnthropicDialectName[];
/** What a row says about replies, and what about requests. */
const replyFlags = ["mislabelsTruncation", "messageStop", "blocks", "stops"] as const;
const requestFlags = ["unsignedThinking", "bytesOnly"] as const;

/** Hosts that together have each value of each flag. If the tests try everything, all hosts. */
const chosen = (flags: readonly (keyof (typeof dialects)["glm"])[]): ReadonlySet<string> =>
  new Set(
    isFull
      ? names
      : cover(names, (name) => flags.map((flag) => `${flag} ${String(dialects[name][flag])}`)),
  );
const differingReplies = chosen(replyFlags);
const differingRequests = chosen(requestFlags);

/** All hosts have the decoder of Anthropic, whose tests ask about calls and turns. */
const repliesAsked = isFull ? ["call", "stop", "turn"] : ["stop.whole", "stop.cap-unproven"];

for (const name of names) {
  const create = (endpoint: object, stream: boolean) =>
    anthropic(modelOf(name), { dialect: name, apiKey: "key", stream, ...endpoint });
  const subject = {
    wire: wireOf(name),
    adapter: (endpoint: object) => create(endpoint, true),
    wholeAdapter: (endpoint: object) => create(endpoint, false),
  };
  const families = [
    ...(differingReplies.has(name) ? repliesAsked : ["stop.whole"]),
    ...(differingRequests.has(name) || name === "openrouter" ? ["error", "request"] : []),
  ];
  for (const only of families) conform(subject, { only, sample: places(12), sockets: false });
}
