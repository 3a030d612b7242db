import {
  type AdapterSubject,
  type Clause,
  clauses,
  judge,
  type Mutant,
} from "@fullstop/conformance";
import { isFull } from "@tooling/test/full";
import { sampleOf, samplePlaces } from "@tooling/test/sample";
import { describe, expect, test } from "vitest";
import {
  anthropicSubject,
  chatSubject,
  geminiSubject,
  interactionsSubject,
  responsesSubject,
} from "./subjects.ts";
import { uncaught, type WireKey } from "./uncaught.ts";

const subjects: Readonly<Record<WireKey, AdapterSubject>> = {
  anthropic: anthropicSubject,
  chat: chatSubject,
  gemini: geminiSubject,
  responses: responsesSubject,
  interactions: interactionsSubject,
};
const wireKeys = Object.keys(subjects) as readonly WireKey[];

interface AskedMutant extends Mutant {
  readonly clause: Clause;
  readonly id: string;
}

/** The mutants that can break an adapter or a guard whose stream is server-sent events. */
const mutants: readonly AskedMutant[] = clauses.flatMap((clause) =>
  (clause.mutants ?? [])
    .filter(({ framing = "sse" }) => framing === "sse" && (clause.adapter ?? clause.guard))
    .map((mutant) => ({ ...mutant, clause, id: `${clause.id}: ${mutant.wrong}` })),
);

const pairs = mutants.flatMap(({ id, clause, subject }) =>
  wireKeys.map((wire) => ({ wire, id, clause, subject, reason: uncaught[id]?.[wire] })),
);

/** The clauses of which only a fixture shows some faults. All others are asked by `pnpm test:all`. */
const shownByFixtures = ["stop.whole", "request.replay", "request.withheld", "guard.passes"];
const asked = isFull ? pairs : pairs.filter(({ clause }) => shownByFixtures.includes(clause.id));

/** Whether the clause finds the fault. Only its own clauses ask a guard. */
async function catches(
  { clause, subject: breaks }: Pick<AskedMutant, "clause" | "subject">,
  { guard, ...unguarded }: AdapterSubject,
  sample?: number,
): Promise<boolean> {
  const sound = clause.guard === undefined ? unguarded : { ...unguarded, guard };
  const verdicts = judge(breaks(sound), { only: clause.id, sample, first: true });
  for await (const { status } of verdicts) return status === "broken";
  return false;
}

describe("the sample of a wire", () => {
  test.for(asked)("$wire, $id", { timeout: 300_000 }, async ({ wire, reason, ...mutant }) => {
    const subject = subjects[wire];
    const isCaught = await catches(mutant, sampleOf(subject), samplePlaces);
    if (reason === undefined)
      expect(isCaught, "The sample no longer shows what this mutant does").toBe(true);
    else {
      expect(isCaught, `It is caught, so this is not true: ${reason}`).toBe(false);
      if (isFull)
        expect(await catches(mutant, subject), `All places catch it. ${reason}`).toBe(false);
    }
  });
});

test("each reason is about a mutant", () => {
  const ids = new Set(mutants.map(({ id }) => id));
  expect(Object.keys(uncaught).filter((id) => !ids.has(id))).toEqual([]);
});

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("<", "\\<");

test("MUTANTS.md: `pnpm test packages/guard/test/clauses/mutants --update` writes it", async () => {
  const reasons = [...new Set(pairs.flatMap(({ reason }) => reason ?? []))];
  const row = ({ id, clause, wrong }: AskedMutant): string => {
    const cells = wireKeys.map((wire) => {
      const reason = uncaught[id]?.[wire];
      return reason === undefined ? "yes" : `no, ${reasons.indexOf(reason) + 1}`;
    });
    return `| \`${clause.id}\` | ${cell(wrong)} | ${cells.join(" | ")} |`;
  };
  const text = [
    "# Which mutants each wire catches",
    "",
    `A mutant is a sound adapter or guard with one fault. The sample of a wire has ${samplePlaces} places of each reply, and the fixtures that show something that no other shows. *yes*: the clause finds the fault with the sample. *no*: it does not find it with all places and fixtures either, and the number is that of the reason.`,
    "",
    `| clause | a mutant that | ${wireKeys.join(" | ")} |`,
    `|---|---|${wireKeys.map(() => "---|").join("")}`,
    ...mutants.map(row),
    "",
    ...reasons.map((reason, index) => `${index + 1}. ${reason}`),
    "",
  ].join("\n");
  await expect(text).toMatchFileSnapshot("../../../conformance/MUTANTS.md");
});
