import type { Entry } from "@fullstop/conformance/report";

/** One missing check that breaks several clauses. */
interface Cause {
  /** The first of these that is broken gets the text; the others are named in it. */
  readonly clauses: readonly string[];
  /** What the loop probably lacks: a phrase that follows "the same cause:". */
  readonly about: string;
  /** The check as pseudocode, by the name of the wire. */
  readonly gates: Readonly<Record<string, string>>;
}

/** Three lines that gate the calls of a reply. */
const gate = (condition: string, reason: string, calls: string): string =>
  `if ${condition}:\n    return unfinished(${reason})  # report the reason, run nothing\nrun(${calls})`;

const causes: readonly Cause[] = [
  {
    clauses: [
      "stop.words",
      "stop.unknown-word",
      "stop.no-word",
      "stop.used-up",
      "stop.without-calls",
    ],
    about: "calls run because they are there, and the stop reason of their reply is not read",
    gates: {
      "anthropic-messages": gate(
        'message.stop_reason != "tool_use"',
        "message.stop_reason",
        "message.content",
      ),
      "openai-chat": gate(
        'choice.finish_reason not in ("tool_calls", "stop")',
        "choice.finish_reason",
        "choice.message.tool_calls",
      ),
      "openai-responses": gate(
        'response.status != "completed"',
        "response.incomplete_details",
        "response.output",
      ),
      "gemini-generate-content": gate(
        'candidate.finishReason != "STOP"',
        "candidate.finishReason",
        "candidate.content.parts",
      ),
    },
  },
  {
    clauses: ["stop.cut", "wire.reset", "wire.malformed-frame", "stop.no-terminal"],
    about: "the end of the stream is taken for the end of the reply",
    gates: {},
  },
];

const causeOf = ({ clause }: Entry): Cause | undefined =>
  causes.find(({ clauses }) => clauses.includes(clause.id));

/** Clauses that are broken, probably by one cause. The text is about the first. */
export interface CauseGroup {
  readonly entry: Entry;
  readonly others: readonly Entry[];
  /** Absent if the entry is alone and nothing is known of its cause. */
  readonly about?: string;
  /** The check that would keep the clause, as pseudocode. */
  readonly gate?: string;
}

/** Groups broken clauses of a subject by cause. `wire`: the name of its wire. */
export function groupByCause(entries: readonly Entry[], wire: string): readonly CauseGroup[] {
  const groups = Map.groupBy(entries, (entry) => causeOf(entry) ?? entry);
  return [...groups].flatMap(([key, members]) => {
    const order = "clauses" in key ? key.clauses : [];
    const [entry, ...others] = members.toSorted(
      (one, other) => order.indexOf(one.clause.id) - order.indexOf(other.clause.id),
    );
    if (entry === undefined) return [];
    if (!("clauses" in key)) return [{ entry, others }];
    const lines = Object.hasOwn(key.gates, wire) ? key.gates[wire] : undefined;
    return [{ entry, others, about: key.about, ...(lines !== undefined && { gate: lines }) }];
  });
}
