import type { Check } from "../../harness/check.ts";
import {
  askStore,
  askTimed,
  checkLater,
  checkReading,
  compare,
  firstCall,
  type JournalClauseTable,
  result,
  run,
  toolStep,
  unjudged,
  unlessRefused,
} from "../ask.ts";
import type { OpenStore } from "../harness.ts";
import {
  alterLeases,
  failWith,
  ignore,
  lostError,
  neverLost,
  onKind,
  onRejection,
} from "../mutants.ts";
import { begun, kindOfError, outcomeOf, rejectsWith, unrecorded } from "../outcomes.ts";

async function checkBlocked(store: OpenStore): Promise<readonly Check[]> {
  const { block } = store;
  if (block === undefined)
    return [unjudged("begin", "a step that cannot be recorded", "the store has no `block`")];
  const lease = await store.open(run);
  await lease.begin(toolStep(firstCall));
  const unblock = await block();
  const writes = [lease.begin(toolStep(`${run}/1/2`)), lease.end(toolStep(firstCall), result)].map(
    outcomeOf,
  );
  const [begin = "", end = ""] = await Promise.all(writes).finally(unblock);
  await outcomeOf(lease.close());
  const next = await store.open(run);
  const later = await outcomeOf(next.end(toolStep(firstCall), result));
  await next.close();
  const expected = rejectsWith("unavailable");
  return [
    compare("begin", "`begin` while no step can be recorded", expected, begin),
    compare("end", "`end` while no step can be recorded", expected, end),
    unlessRefused(
      later,
      await checkLater(store, "later", "the step, after the next process recorded it", [
        firstCall,
        result,
      ]),
    ),
  ];
}

async function checkDeleted(store: OpenStore): Promise<readonly Check[]> {
  const { remove } = store;
  if (remove === undefined)
    return [unjudged("begin", "a run whose steps were deleted", "the store has no `remove`")];
  const lease = await store.open(run);
  await lease.begin(toolStep(firstCall));
  await remove();
  const begin = await outcomeOf(lease.begin(toolStep(`${run}/1/2`)));
  const end = await outcomeOf(lease.end(toolStep(firstCall), result));
  const { aborted, reason } = lease.lost;
  await outcomeOf(lease.close());
  const ended = await store.open(run);
  await ended.end(toolStep(firstCall), result);
  await remove();
  const close = await outcomeOf(ended.close({ status: "done" }));
  const expected = rejectsWith("deleted");
  return [
    compare("begin", "`begin` after what is stored was deleted", expected, begin),
    compare("end", "`end` of a step that began before", expected, end),
    compare(
      "aborts",
      "the signal `lost` of the lease after that",
      "aborts with the kind deleted",
      aborted ? `aborts with the kind ${kindOfError(reason)}` : "does not abort",
    ),
    compare("close", "`close` of a run that was done", expected, close),
    await checkLater(store, "next", "the step of that run, through another connection", [
      firstCall,
      unrecorded,
    ]),
  ];
}

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
  const at = `a text of ${maxStepBytes + 1} bytes, with fewer characters`;
  const between = await checkReading(lease, "nothing", `the step after ${at}`, [larger, begun]);
  await lease.close();
  const later = await checkLater(
    store,
    "nothing-later",
    "the same step, through another connection",
    [larger, begun],
  );
  const again = await store.open(run);
  const smaller = await outcomeOf(again.end(toolStep(larger), result));
  await again.close();
  const limit = `a text of ${maxStepBytes} bytes, the limit`;
  return [
    unlessRefused(taken, await checkLater(store, "largest", limit, [exact, largest])),
    compare("larger", at, rejectsWith("too-large"), refused),
    between,
    later,
    unlessRefused(
      smaller,
      await checkLater(store, "smaller", "a smaller text for that step", [larger, result]),
    ),
  ];
}

/** Clauses about a store that records nothing for a time, that is deleted, and that has a limit. */
export const journalFaultClauses: JournalClauseTable = {
  "journal.blocked": {
    rule: "If no step can be recorded, such as behind a lock or on a full disk, `begin` and `end` reject with an error of the kind `unavailable` after a limited time, however often the lease is renewed.",
    references: {
      "langflow-ai/langflow#13202":
        "a lock without a limit of time blocked each worker without an end and without a message",
      "https://www.postgresql.org/docs/current/runtime-config-client.html":
        "by default `lock_timeout` is 0: a statement waits for a lock without a limit",
    },
    question: askTimed(checkBlocked),
    mutants: {
      "tries again for as long as its lease is renewed": onRejection(
        "unavailable",
        ["begin", "end"],
        async (_, repeat) => {
          const insist = (): Promise<void> => onKind("unavailable", repeat, insist);
          await insist();
        },
      ),
      "says that a step was recorded although it was not": onRejection(
        "unavailable",
        ["begin"],
        ignore,
      ),
      "rejects with the error of the database": onRejection(
        "unavailable",
        ["end"],
        failWith("no space left on device"),
      ),
    },
  },
  "journal.deleted": {
    rule: "If the stored steps of a run are deleted while a process has the run, `begin`, `end` and the end of the run reject with an error of the kind `deleted`, so that nothing repeats the run without a word.",
    references: {
      "WiseLibs/better-sqlite3#1237":
        "the files were deleted while a program used them: each insert succeeded, and all of them were lost when it ended",
      "https://www.sqlite.org/howtocorrupt.html#_unlinking_or_renaming_a_database_file_while_in_use":
        "a file that was removed or renamed is still written, and others do not see it",
    },
    question: askStore(checkDeleted),
    mutants: {
      "goes on without a word": (sound) =>
        neverLost(onRejection("deleted", ["begin", "end", "close"], ignore)(sound)),
      "lets a run end as done of which nothing is stored": onRejection(
        "deleted",
        ["close"],
        ignore,
      ),
      "says that another process has the run, so that an engine tries again": onRejection(
        "deleted",
        ["begin", "end"],
        failWith(lostError),
      ),
    },
  },
  "journal.too-large": {
    rule: "A text of more than `maxStepBytes` bytes of UTF-8 is refused with an error of the kind `too-large`, nothing of it is recorded, and the step can end with a smaller one.",
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
        failWith("value too long"),
      ),
      "takes less than it says": alterLeases(({ lease }) => ({
        maxStepBytes: (lease.maxStepBytes ?? 0) + 1,
      })),
    },
  },
};
