import type { Check } from "../../harness/check.ts";
import { askStore, compare, toolStep, unjudged } from "../ask.ts";
import type { JournalClauseTable } from "../clause.ts";
import type { OpenStore } from "../harness.ts";
import { alterLeases, failWith, onKind, onRejection } from "../mutants.ts";
import { endedWith, outcomeOf, readingOf, rejectsWith } from "../outcomes.ts";
import { readLater, result, run } from "./reading.ts";

/** A larger limit is not tried: the text would take too much memory. */
const largestTriedBytes = 64 * 1024 * 1024;
const bytesOfCharacter = 3;

/** A JSON text of this many bytes. Most of its characters have three. */
function textOfBytes(bytes: number): string {
  const inner = bytes - 2;
  const wide = "漢".repeat(Math.floor(inner / bytesOfCharacter));
  return `"${wide}${"x".repeat(inner % bytesOfCharacter)}"`;
}

async function checkSize(store: OpenStore): Promise<readonly Check[]> {
  const lease = await store.open(run);
  const { maxStepBytes } = lease;
  if (maxStepBytes === undefined)
    return [unjudged("limit", "the largest text of a step", "the journal says no `maxStepBytes`")];
  if (maxStepBytes > largestTriedBytes)
    return [unjudged("limit", "the largest text of a step", `${maxStepBytes} bytes are not tried`)];
  const [exact, larger] = [`${run}/1/1`, `${run}/1/2`];
  const largest = textOfBytes(maxStepBytes);
  const taken = await outcomeOf(lease.end(toolStep(exact), largest));
  await lease.begin(toolStep(larger));
  const refused = await outcomeOf(lease.end(toolStep(larger), textOfBytes(maxStepBytes + 1)));
  const between = await readingOf(lease.read(larger));
  await lease.close();
  const later = await readLater(store, larger);
  const again = await store.open(run);
  const smaller = await outcomeOf(again.end(toolStep(larger), result));
  await again.close();
  const at = `a text of ${maxStepBytes + 1} bytes, with fewer characters`;
  return [
    compare(
      "largest",
      `a text of ${maxStepBytes} bytes, the limit`,
      endedWith(largest),
      taken === "resolves" ? await readLater(store, exact, largest) : taken,
    ),
    compare("larger", at, rejectsWith("too-large"), refused),
    compare("nothing", `the step after ${at}`, "begun", between),
    compare("nothing-later", "the same step, through another connection", "begun", later),
    compare(
      "smaller",
      "a smaller text for that step",
      endedWith(result),
      smaller === "resolves" ? await readLater(store, larger, result) : smaller,
    ),
  ];
}

/** Clauses about the size of a step. */
export const journalSizeClauses: JournalClauseTable = {
  "journal.too-large": {
    rule: "A text of more than `maxStepBytes` bytes of UTF-8 is refused with an error of the kind `too-large`, nothing of it is recorded, and the step can end with a smaller one.",
    level: "must",
    references: {
      "aws/aws-durable-execution-sdk-python#342":
        "the error for a result that was too large looked like one that passes, so the step ran again and again",
      "https://docs.temporal.io/troubleshooting/blob-size-limit-error":
        "a result above the limit fails the task that returns it",
    },
    question: askStore(checkSize),
    mutants: {
      "records the beginning of a text that is too large": alterLeases(({ lease }) => ({
        end: (step, json) =>
          onKind(
            "too-large",
            () => lease.end(step, json),
            async () => {
              await lease.end(step, `${json.slice(0, 20)}"`);
            },
          ),
      })),
      "records another text, and then rejects": alterLeases(({ lease }) => ({
        end: (step, json) =>
          onKind(
            "too-large",
            () => lease.end(step, json),
            async (thrown) => {
              await lease.end(step, "null");
              throw thrown;
            },
          ),
      })),
      "rejects with the error of the database": onRejection(
        "too-large",
        ["end"],
        failWith(() => new Error("value too long")),
      ),
      "takes less than it says": alterLeases(({ lease }) => ({
        maxStepBytes: (lease.maxStepBytes ?? 0) + 1,
      })),
    },
  },
};
