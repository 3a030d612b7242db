import { places } from "@tooling/test/sample";
import { expect, test } from "vitest";
import type { LeftReply } from "../src/guard/left-reply.ts";
import { changeLeaving, type Passage } from "../src/guard/mutants.ts";
import { render } from "../src/harness/bytes.ts";
import {
  type AdapterSubject,
  cap,
  judge,
  type ReplyText,
  report,
  type Verdict,
} from "../src/index.ts";
import { guarded } from "./guarded.ts";

const verdictOn = async (subject: AdapterSubject, only: string): Promise<Verdict | undefined> => {
  for await (const verdict of judge(subject, { only, sample: places(12), first: true }))
    return verdict;
  return undefined;
};

const call = { name: "read", id: "toolu_1", input: { path: "/srv/notes.txt", lines: 20 } };
const written = (
  { wire }: Passage,
  stop: string | undefined,
  blocks: readonly (typeof call | ReplyText)[],
): Partial<LeftReply> => {
  const { bytes } = render(wire, wire.frames({ blocks, stop: stop ?? "", output: cap - 1 }));
  return { status: 200, text: new TextDecoder().decode(bytes), isBroken: false };
};
const isUntouched = ({ left, came }: Passage): boolean => left.text === came;

/** Guards that are broken on purpose, and a clause that must see it behind each of them. */
const broken = {
  "repairs a cut call": [
    "stop.cut",
    (passage) => (isUntouched(passage) ? {} : written(passage, "tool_use", [call])),
  ],
  "ends a cut text as a finished one": [
    "stop.cut",
    (passage) => (isUntouched(passage) ? {} : written(passage, "end_turn", [{ text: "Done." }])),
  ],
  "runs calls that the output limit cut": [
    "stop.words",
    (passage) => (isUntouched(passage) ? {} : written(passage, "tool_use", [call])),
  ],
  "swallows finished calls": [
    "stop.whole",
    (passage) =>
      passage.read(passage.left.text).callParts.length > 0
        ? written(passage, "max_tokens", [{ text: "Held back." }])
        : {},
  ],
  "takes a finished text for a broken one": [
    "stop.whole",
    (passage) => (isUntouched(passage) ? { isBroken: true, text: "" } : {}),
  ],
  "calls a refusal the output limit": [
    "stop.words",
    (passage) => (isUntouched(passage) ? {} : written(passage, "max_tokens", [])),
  ],
  "loses the text before withheld calls": [
    "turn.text-kept",
    (passage) => (isUntouched(passage) ? {} : written(passage, "max_tokens", [])),
  ],
  "loses the text of a broken reply": [
    "turn.text-kept",
    (passage) => (passage.left.isBroken ? { text: "" } : {}),
  ],
} satisfies Record<string, readonly [string, Parameters<typeof changeLeaving>[0]]>;

test.for(Object.entries(broken))("a guard that %s is caught", async ([, [only, change]]) => {
  const verdict = await verdictOn(changeLeaving(change)(guarded), only);
  expect(verdict?.status).toBe("broken");
});

test.for([...new Set(Object.values(broken).map(([only]) => only))])(
  "behind the sound guard %s is kept",
  async (only) => {
    const verdict = await verdictOn(guarded, only);
    expect(verdict && report(verdict)).toContain("kept");
  },
);

test("a clause about guards needs a guard", async () => {
  const { guard: _, ...unguarded } = guarded;
  await expect(verdictOn(unguarded, "guard.holds")).rejects.toThrow("Give the subject its `guard`");
});
