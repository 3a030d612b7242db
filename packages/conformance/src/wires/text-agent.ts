import type { ClaimedStop } from "@fullstop/core/adapter";
import type { AgentWire, Reply, Wire } from "../wire.ts";

/** Stop reasons that say nothing about the text of a reply, or that only replies with calls have. */
const withoutText: ReadonlySet<string> = new Set([
  "tool-use",
  "pause",
  "malformed-tool-call",
] satisfies ClaimedStop[]);

/** Writes calls as texts. */
const toTexts = (reply: Reply): Reply => ({
  ...reply,
  blocks: reply.blocks.map((block) =>
    "name" in block ? { text: block.inputText ?? JSON.stringify(block.input) } : block,
  ),
});

/** A wire that describes how agents speak its protocol. */
export type WireForAgents = Wire & { readonly agent: AgentWire };

/**
 * The wire for an agent that offers no tools and runs the text of a reply: the input of each call
 * is sent as text, with the native stop reason of a text.
 */
export function forTextAgents(wire: WireForAgents): WireForAgents {
  const { whole } = wire;
  const nativeStops = Object.fromEntries(
    Object.entries(wire.nativeStops).filter(([reason]) => !withoutText.has(reason)),
  );
  return {
    ...wire,
    nativeStops,
    frames: (reply) => wire.frames(toTexts(reply)),
    ...(whole !== undefined && { whole: (reply: Reply) => whole(toTexts(reply)) }),
    agent: { ...wire.agent, tools: () => [], results: () => [], actsOnText: true },
  };
}
