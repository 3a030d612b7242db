import type { Outcome, ToolCall, Turn } from "@fullstop/loop";
import { type Fault, faultRules, type Input } from "./fault.ts";
import { expectedFiles } from "./project.ts";
import { exchanges, permittedCalls, scriptedRuns } from "./script.ts";
import type { ReceivedRequest } from "./server.ts";

/** What is known at the end. Each part has its own source. */
export interface Evidence {
  /** From the disk. */
  readonly files: ReadonlyMap<string, string>;
  /** From the tools: their executions. */
  readonly executed: readonly Input[];
  /** From the server. */
  readonly requests: readonly ReceivedRequest[];
  /** From the loop: the turns, and how the runs ended. */
  readonly turns: readonly Turn[];
  readonly outcomes: readonly Outcome["status"][];
}
export interface Check {
  readonly claim: string;
  /** How the claim is false. Empty if it is true. */
  readonly findings: readonly string[];
}
export interface HeldBackReply {
  readonly reply: number;
  readonly fault: Fault["kind"];
  /** What happened to the reply, in a few words. */
  readonly story: string;
  readonly stopReason: Turn["stopReason"];
  /** Why its calls were withheld. */
  readonly reason: string;
  /** The tool, and the path in its input. */
  readonly input: string;
  /** What running the input would do. Present if the input is complete JSON. */
  readonly harm?: string;
}
export interface Verdict {
  /** All checks passed. */
  readonly ok: boolean;
  readonly replies: number;
  /** How many calls ran. */
  readonly ran: number;
  readonly heldBack: readonly HeldBackReply[];
  readonly checks: readonly Check[];
}

/** Compares the evidence with the script. What ran and what was sent is not taken from the loop. */
export function judge(evidence: Evidence): Verdict {
  const checks = [
    checkOnlyPermittedRan(evidence),
    checkAllPermittedRan(evidence),
    checkFiles(evidence),
    checkHeldBack(evidence),
    checkRequests(evidence),
    checkOutcomes(evidence),
  ];
  return {
    ok: checks.every(({ findings }) => findings.length === 0),
    replies: evidence.requests.length,
    ran: evidence.executed.length,
    heldBack: listHeldBack(evidence),
    checks,
  };
}

/** An input in a few words: the tool and the path. */
export const titleOf = ({ name, input }: Pick<Input, "name" | "input">): string =>
  [name, input["path"]].filter(Boolean).join(" ");

/** The tool and the path of a call. */
export const titleOfCall = ({ name, input }: Pick<ToolCall, "name" | "input">): string =>
  titleOf({ name, input: { path: String(input["path"] ?? "") } });

/** The path in the JSON text of an input, which may be incomplete. */
export const pathIn = (inputText: string): string =>
  /"path":\s*"([^"\\]*)"/.exec(inputText)?.[1] ?? "";

const canonical = ({ name, input }: Input): string =>
  JSON.stringify([name, Object.entries(input).sort()]);

/** The inputs that are not in `others`. Each of the others counts once. */
function difference(inputs: readonly Input[], others: readonly Input[]): readonly Input[] {
  const left = others.map(canonical);
  return inputs.filter((input) => {
    const at = left.indexOf(canonical(input));
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

const abbreviate = (text: string): string =>
  text.length <= 60 ? text : `${text.slice(0, 24)} … ${text.slice(-32)}`;

const checkOnlyPermittedRan = ({ executed }: Evidence): Check => ({
  claim: "Only permitted calls ran.",
  findings: difference(executed, permittedCalls).map(
    (call) => `${titleOf(call)} must not run, and ran: ${abbreviate(JSON.stringify(call.input))}`,
  ),
});

const checkAllPermittedRan = ({ executed }: Evidence): Check => ({
  claim: `All ${permittedCalls.length} permitted calls ran, once each.`,
  findings: difference(permittedCalls, executed).map((call) => `${titleOf(call)} did not run.`),
});

const checkFiles = ({ files }: Evidence): Check => ({
  claim: `${expectedFiles.size} files are on the disk, byte for byte as expected.`,
  findings: [
    ...[...expectedFiles]
      .filter(([path, content]) => files.get(path) !== content)
      .map(([path]) => (files.has(path) ? `${path} has other contents.` : `${path} is missing.`)),
    ...[...files.keys()]
      .filter((path) => !expectedFiles.has(path))
      .map((path) => `${path} is not expected.`),
  ],
});

const faultyReplies: readonly { readonly reply: number; readonly fault: Fault }[] =
  exchanges.flatMap(({ fault }, index) =>
    fault === undefined ? [] : [{ reply: index + 1, fault }],
  );

const listHeldBack = ({ turns, requests }: Evidence): readonly HeldBackReply[] =>
  faultyReplies.flatMap(({ reply, fault }) => {
    const turn = turns[reply - 1];
    const [held] = turn?.withheld ?? [];
    if (turn === undefined || held === undefined) return [];
    return [
      {
        reply,
        fault: fault.kind,
        story: requests[reply - 1]?.story ?? fault.kind,
        stopReason: turn.stopReason,
        reason: held.reason,
        input: titleOf({ name: held.name ?? "", input: { path: pathIn(held.inputText) } }),
        ...("harm" in fault && { harm: fault.harm }),
      },
    ];
  });

/** `length (cap-reached)`: the stop reason, and why the calls were withheld. */
function describeTurn(turn: Turn | undefined): string {
  if (turn === undefined) return "no reply";
  const reasons = turn.withheld.map(({ reason }) => reason).join(", ");
  return `${turn.stopReason} (${reasons || "nothing held back"})`;
}

const checkHeldBack = ({ turns }: Evidence): Check => ({
  claim: `${faultyReplies.length} replies were held back, each for the expected reason.`,
  findings: faultyReplies.flatMap(({ reply, fault: { kind } }) => {
    const { stopReason, reason } = faultRules[kind];
    const expected = `${stopReason} (${reason})`;
    const actual = describeTurn(turns[reply - 1]);
    return actual === expected
      ? []
      : [`Reply ${reply} (${kind}) should be ${expected}, and is ${actual}.`];
  }),
});

const checkRequests = ({ requests }: Evidence): Check => ({
  claim: `The server got the ${exchanges.length} expected requests, and no input that was held back.`,
  findings: [
    ...requests.flatMap(({ reply, problems }) =>
      problems.map((problem) => `Request ${reply}: ${problem}`),
    ),
    ...(requests.length === exchanges.length ? [] : [`There were ${requests.length} requests.`]),
  ],
});

const checkOutcomes = ({ outcomes }: Evidence): Check => ({
  claim: `The runs ended as expected: ${scriptedRuns.map(({ status }) => status).join(", ")}.`,
  findings: scriptedRuns.flatMap(({ status }, index) =>
    outcomes[index] === status
      ? []
      : [`Run ${index + 1} ended ${outcomes[index] ?? "before it began"}.`],
  ),
});
