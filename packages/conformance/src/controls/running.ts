import { smallLoop } from "../loop/small-loop.ts";
import type { LoopSubject } from "../subject.ts";
import type { Control } from "./control.ts";
import { gateControls } from "./gate.ts";

const around =
  (clause: string): Control<LoopSubject>["subject"] =>
  (sound) =>
    smallLoop(gateControls.find(({ caughtBy }) => caughtBy === clause)?.subject(sound) ?? sound);

/** Loops. Those around a broken gate or adapter break what it breaks: `looped(control.subject(sound))`. */
export const runningControls: readonly Control<LoopSubject>[] = [
  {
    wrong: "loses all results of a turn but the first",
    caughtBy: "history.result",
    subject: (sound) => smallLoop(sound, { sentResults: (results) => results.slice(0, 1) }),
  },
  {
    wrong: "asks the same again after a cut at the cap",
    caughtBy: "recovery.repeats",
    subject: (sound) => smallLoop(sound, { raisedCap: (cap) => cap }),
  },
  {
    wrong: "raises the cap for ever",
    caughtBy: "recovery.bounded",
    subject: (sound) =>
      smallLoop(sound, { maxRequests: Number.POSITIVE_INFINITY, raisedCap: (cap) => cap + 1 }),
  },
  {
    wrong: "counts no turns",
    caughtBy: "recovery.circle",
    subject: (sound) => smallLoop(sound, { maxRequests: Number.POSITIVE_INFINITY }),
  },
  {
    wrong: "begins the step anew when a request fails, its calls too",
    caughtBy: "recovery.failures",
    subject: (sound) => smallLoop(sound, { afterFailure: async (executeAgain) => executeAgain() }),
  },
  {
    wrong: "waits for something that never comes once a request failed",
    caughtBy: "recovery.ends",
    subject: (sound) => ({
      ...smallLoop(sound, { afterFailure: () => new Promise(() => undefined) }),
      timeoutMs: 500,
    }),
  },
  {
    wrong: "believes a word for a finished reply at the cap",
    caughtBy: "stop.used-up",
    subject: around("stop.cap"),
  },
  {
    wrong: "answers calls that never ran with nothing but a note",
    caughtBy: "request.valid",
    subject: around("request.withheld"),
  },
];
