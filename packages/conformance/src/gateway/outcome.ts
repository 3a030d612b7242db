import type { StopReason, Turn } from "@fullstop/core";
import { isFinished } from "../harness/check.ts";
import type { WireName } from "../replay/builtin.ts";
import { wires } from "../wires/index.ts";
import type { Observation, ReadyRoute } from "./observe.ts";

/** The worst that a finding can lead to, worst first. */
export type Severity =
  | "a call runs that must not"
  | "a finished call is lost"
  | "a stop reason is relabelled"
  | "a reply or a request is broken"
  | "a detail is lost";

/** What upstream played and what came out in front, on a route. */
export interface SeenReply extends Observation {
  readonly route: ReadyRoute;
}

/** The reasons under which upstream itself says that a reply is not finished. */
export const groupOf: Readonly<Partial<Record<StopReason, "limit" | "blocked" | "failed">>> = {
  length: "limit",
  "context-window": "limit",
  refusal: "blocked",
  "content-filter": "blocked",
  pause: "failed",
  error: "failed",
  "malformed-tool-call": "failed",
};

/** Whether the server said the stop reason, and the gate did not conclude it from damage. */
export const isClaimed = ({ stopReason, withheld }: Turn): boolean =>
  groupOf[stopReason] !== undefined &&
  withheld.every(({ reason }) => reason === "stop-reason" || reason === "error");

/** The stop reasons that a protocol has no word for. */
const inexpressible: Readonly<Record<WireName, readonly StopReason[]>> = {
  anthropic: [],
  "openai-chat": ["pause"],
  "openai-responses": ["pause"],
  gemini: ["pause"],
  "gemini-interactions": ["pause"],
};

/** Whether the protocol in front can say the stop reason. An error can be said in each of them. */
export const canSay = (seen: SeenReply): boolean =>
  !translates(seen) || !inexpressible[seen.route.front].includes(seen.sent.stopReason);

/** One line for a turn: its stop reason, its calls, and what failed. */
export function describeTurn({ stopReason, calls, withheld, native }: Turn): string {
  const said = native === undefined ? "" : ` ("${native.stop}")`;
  const held = withheld.length === 0 ? "" : `, ${withheld.length} of its calls withheld`;
  const runs = calls.map(({ name, input }) => `${name} ${JSON.stringify(input)}`).join(" and ");
  return `${stopReason}${said}, runs ${runs === "" ? "nothing" : runs}${held}`;
}

export function describeHeard({ heard }: Observation): string {
  const { turn, status, fault } = heard;
  const transport = fault === undefined ? "" : `; ${fault}`;
  return `${status === 200 ? "" : `status ${status}; `}${describeTurn(turn)}${transport}`;
}

/** How bad it is that a reply that is not finished came out as finished. */
export const severityOfFinished = ({ heard }: Observation): Severity =>
  heard.turn.calls.length > 0 ? "a call runs that must not" : "a stop reason is relabelled";

/** The names and inputs of calls, sorted, so that their order does not matter. */
export const callLines = ({ calls }: Pick<Turn, "calls">): readonly string[] =>
  calls.map(({ name, input }) => `${name} ${stableJson(input)}`).sort();

const stableJson = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(
          Object.entries(inner).sort(([first], [second]) => (first < second ? -1 : 1)),
        )
      : inner,
  );

export const hasWordForCalls = (protocol: WireName): boolean => {
  const { nativeStops } = wires[protocol];
  return nativeStops["tool-use"] !== nativeStops.stop;
};

/** A reply that the vendor documents, and that finished. */
export const isDocumentedAndFinished = ({ played, sent, reachesCap }: Observation): boolean =>
  played.kind === "documented" && isFinished(sent) && !reachesCap;

/** Such a reply that arrived far enough to compare its content. */
export const isComparable = (seen: Observation): boolean =>
  isDocumentedAndFinished(seen) && isFinished(seen.heard.turn);

export const leftUnfinished = ({ heard }: Observation): boolean => !isFinished(heard.turn);

export const translates = ({ route: { front, behind } }: SeenReply): boolean => front !== behind;

/** Whether a reply has a block or a call that its gateway cannot express in the protocol in front. */
export const losesForeign = (seen: SeenReply): boolean =>
  translates(seen) &&
  seen.sent.message?.content.some(
    (block) => block.type === "native" || ("kind" in block && block.kind === "text"),
  ) === true;

/** How bad a difference is: it may cost a finished call. */
export const lostCallOr =
  (other: Severity) =>
  ({ sent }: Observation): Severity =>
    sent.calls.length > 0 ? "a finished call is lost" : other;

const withoutSpace = (text: string): string => text.replaceAll(/\s+/g, "");

/** Whether one input holds those of two calls, with any white space. */
export function isMerged({ sent, heard }: Observation): boolean {
  const all = [
    ...heard.turn.calls.map(({ input }) => JSON.stringify(input)),
    ...heard.turn.withheld.map(({ inputText }) => inputText),
  ];
  if (sent.calls.length < 2 || all.length >= sent.calls.length) return false;
  const tails = sent.calls
    .map(({ input }) => JSON.stringify(input))
    .filter((text) => text !== "{}");
  return all.some(
    (text) => tails.filter((tail) => withoutSpace(text).includes(withoutSpace(tail))).length > 1,
  );
}
