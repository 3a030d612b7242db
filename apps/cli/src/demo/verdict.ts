import type { Outcome, Turn } from "@fullstop/loop";
import { finished } from "./project.ts";
import { type Accident, accidents, allowed, type Input, scenes, steps } from "./script.ts";
import type { Asked } from "./server.ts";

/** What is known when all is over, each part from another witness. */
export interface Evidence {
  /** The disk. */
  readonly files: ReadonlyMap<string, string>;
  /** The tools: what they were made to do. */
  readonly executed: readonly Input[];
  /** The provider: what it was asked. */
  readonly asked: readonly Asked[];
  /** The loop: the gate's word on each reply, and how the runs ended. */
  readonly turns: readonly Turn[];
  readonly outcomes: readonly Outcome["status"][];
}
export interface Check {
  readonly sentence: string;
  /** What is wrong; nothing where the sentence is true. */
  readonly findings: readonly string[];
}
export interface HeldBack {
  readonly reply: number;
  readonly accident: Accident["kind"];
  /** What happened to the reply, for a person. */
  readonly story: string;
  readonly stopReason: Turn["stopReason"];
  readonly why: string;
  readonly input: string;
  /** What a loop does that runs the input because it is complete; absent where it is not. */
  readonly otherwise?: string;
}
export interface Verdict {
  readonly ok: boolean;
  readonly replies: number;
  readonly ran: number;
  readonly heldBack: readonly HeldBack[];
  readonly checks: readonly Check[];
}

/** Believes the loop only in what it says of itself: what ran is asked of the tools and the disk, what was sent of the provider. */
export function judge(evidence: Evidence): Verdict {
  const checks = [
    nothingElseRan(evidence),
    allRan(evidence),
    filesAreRight(evidence),
    heldBackRight(evidence),
    askedRight(evidence),
    endedRight(evidence),
  ];
  return {
    ok: checks.every(({ findings }) => findings.length === 0),
    replies: evidence.asked.length,
    ran: evidence.executed.length,
    heldBack: heldBack(evidence),
    checks,
  };
}

/** An input in one line: the tool and what it is about. */
export const titleOf = ({ name, input }: Pick<Input, "name" | "input">): string =>
  [name, input["path"]].filter(Boolean).join(" ");

const same =
  (a: Input) =>
  (b: Input): boolean =>
    JSON.stringify([a.name, Object.entries(a.input).sort()]) ===
    JSON.stringify([b.name, Object.entries(b.input).sort()]);

/** What of `some` is not in `others`, each of these counting once. */
function beyond(some: readonly Input[], others: readonly Input[]): readonly Input[] {
  const left = [...others];
  return some.filter((one) => {
    const at = left.findIndex(same(one));
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

const shortened = (text: string): string =>
  text.length <= 60 ? text : `${text.slice(0, 24)} … ${text.slice(-32)}`;

const nothingElseRan = ({ executed }: Evidence): Check => ({
  sentence: "Nothing ran that must not.",
  findings: beyond(executed, allowed).map(
    (one) => `${titleOf(one)} ran and must not: ${shortened(JSON.stringify(one.input))}`,
  ),
});

const allRan = ({ executed }: Evidence): Check => ({
  sentence: `All ${allowed.length} calls that must run did, once each.`,
  findings: beyond(allowed, executed).map((one) => `${titleOf(one)} did not run.`),
});

const filesAreRight = ({ files }: Evidence): Check => ({
  sentence: `${finished.size} files are on the disk, byte for byte as they should be.`,
  findings: [
    ...[...finished]
      .filter(([path, content]) => files.get(path) !== content)
      .map(([path]) => (files.has(path) ? `${path} has other contents.` : `${path} is missing.`)),
    ...[...files.keys()]
      .filter((path) => !finished.has(path))
      .map((path) => `${path} should not be there.`),
  ],
});

const accidentsAt = (): readonly (readonly [reply: number, kind: Accident["kind"]])[] =>
  steps.flatMap(({ accident }, n) =>
    accident === undefined ? [] : [[n + 1, accident.kind] as const],
  );

const otherwise = (reply: number): Pick<HeldBack, "otherwise"> => {
  const accident = steps[reply - 1]?.accident;
  return accident !== undefined && "otherwise" in accident ? { otherwise: accident.otherwise } : {};
};

const heldBack = ({ turns, asked }: Evidence): readonly HeldBack[] =>
  accidentsAt().flatMap(([reply, accident]) => {
    const turn = turns[reply - 1];
    const [held] = turn?.withheld ?? [];
    if (turn === undefined || held === undefined) return [];
    return [
      {
        reply,
        accident,
        story: asked[reply - 1]?.story ?? accident,
        stopReason: turn.stopReason,
        why: held.reason,
        input: titleOf({ name: held.name ?? "", input: { path: pathIn(held.inputText) } }),
        ...otherwise(reply),
      },
    ];
  });

/** The path in an input that may be cut anywhere. */
export const pathIn = (inputText: string): string =>
  /"path":\s*"([^"\\]*)"/.exec(inputText)?.[1] ?? "";

function heldBackRight({ turns }: Evidence): Check {
  const expected = accidentsAt();
  return {
    sentence: `${expected.length} replies were held back, each for its own reason.`,
    findings: expected.flatMap(([reply, kind]) => {
      const { stopReason, why } = accidents[kind];
      const turn = turns[reply - 1];
      const actual =
        turn === undefined
          ? "no reply"
          : `${turn.stopReason} (${turn.withheld.map((held) => held.reason).join(", ") || "nothing held back"})`;
      return actual === `${stopReason} (${why})`
        ? []
        : [
            `Reply ${reply}, ${kind}, should read as ${stopReason} (${why}), and reads as ${actual}.`,
          ];
    }),
  };
}

const askedRight = ({ asked }: Evidence): Check => ({
  sentence: `The server got the ${steps.length} requests it expects, and no input that was held back.`,
  findings: [
    ...asked.flatMap(({ reply, surprises }) =>
      surprises.map((surprise) => `Request ${reply}: ${surprise}`),
    ),
    ...(asked.length === steps.length ? [] : [`There were ${asked.length} requests.`]),
  ],
});

const endedRight = ({ outcomes }: Evidence): Check => ({
  sentence: `The runs ended ${scenes.map(({ status }) => status).join(", then ")}.`,
  findings: scenes.flatMap(({ status }, n) =>
    outcomes[n] === status ? [] : [`Run ${n + 1} ended ${outcomes[n] ?? "before it began"}.`],
  ),
});
