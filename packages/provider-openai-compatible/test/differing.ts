import { type DialectName, dialects } from "@fullstop/provider-openai-compatible";
import { cover, membersOf } from "@tooling/test/cover";
import { isFull } from "@tooling/test/full";
import { rows } from "./rows.ts";
import { wireOf } from "./wire.ts";

const names = Object.keys(rows) as readonly DialectName[];

/** The flags that say how replies are read. The others change requests. */
const replyFlags: ReadonlySet<string> = new Set([
  "doneEnds",
  "matchedStop",
  "mergesChoices",
  "mislabelsTruncation",
  "reasoning",
  "reasoningTokens",
  "restatesArguments",
  "rotatesIds",
  "sparseIndices",
  "stops",
]);

/** The flags of a row with their values. Of a table only that the row has one. */
const flagsOf = (name: DialectName, areForReplies: boolean): readonly string[] =>
  Object.entries(dialects[name])
    .filter(([flag]) => flag !== "baseURL" && flag !== "keyVariable")
    .filter(([flag]) => replyFlags.has(flag) === areForReplies)
    .map(([flag, value]) => (typeof value === "object" ? flag : `${flag} ${value}`));

/** Each stop reason of each host is read in `stops.test.ts`. */
const isNoStop = (member: string): boolean => !/finish_reason \w+$/.test(member);

/** A text and two calls, as the server of the host sends them under each of its stop reasons. */
function* repliesOf(name: DialectName): Generator<string> {
  const { nativeStops, frames } = wireOf(name, rows[name]);
  const call = { name: "read", id: "call_1", input: { path: "a" } };
  const blocks = [{ text: "Reading." }, call, { ...call, id: "call_2" }];
  for (const [reason, stop] of Object.entries(nativeStops)) {
    const { upToTerminal, after = [] } = frames({ blocks, stop, output: 12 });
    for (const event of [...upToTerminal, ...after])
      if (event !== "[DONE]") yield* [...membersOf(JSON.parse(event))].filter(isNoStop);
    if (reason === "stop" || reason === "tool-use") yield `${reason} ${stop}`;
  }
}

const chosen = (showsOf: (name: DialectName) => Iterable<string>): ReadonlySet<string> =>
  new Set(isFull ? names : cover(names, showsOf));

/**
 * Hosts that together have each value of each flag for replies, and whose servers write each event
 * that one of the servers writes. If the tests try everything, all hosts.
 */
export const differingReplies: ReadonlySet<string> = chosen((name) => [
  ...flagsOf(name, true),
  ...repliesOf(name),
]);

/** Hosts that together have each value of each flag for replies. */
export const differingFlags: ReadonlySet<string> = chosen((name) => flagsOf(name, true));

/** The same for the other flags, and for errors. */
export const differingRequests: ReadonlySet<string> = chosen((name) => [
  ...flagsOf(name, false),
  ...Object.keys(rows[name]).filter((key) => key === "errors" || key === "failures"),
]);
