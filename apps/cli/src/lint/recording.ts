import { type RecordedEvent, readRecording } from "@fullstop/inspect/view";
import { type LintFlaw, type LintReport, lintTranscript, TranscriptError } from "@fullstop/lint";

/** A flaw in what a run sent. */
export interface RunFlaw extends LintFlaw {
  /** The id of the run; of a sub-agent, with the keys of the calls that it runs in. */
  readonly run: string;
  /** The number of the first request that has it, from 1. Undefined: only the outcome has it. */
  readonly request?: number | undefined;
}
/** What was found in a run or a sub-agent. */
interface RunReport extends LintReport {
  readonly run: string;
}
/** What was found in a recording. */
interface RecordingReport {
  readonly reports: readonly RunReport[];
  readonly flaws: readonly RunFlaw[];
  /** What cannot be read in it. */
  readonly notes: readonly string[];
}

/** Whether a file is a recording, by its first line. */
export const isRecording = (text: string): boolean =>
  /^\uFEFF?\s*\{\s*"recording"\s*:/.test(text.slice(0, 100));

/** What a run sent, and what its outcome has. */
interface SentMessages {
  readonly run: string;
  readonly request: number | undefined;
  readonly messages: readonly unknown[];
}

/**
 * Checks what each run of a recording sent. A flaw that stays in the conversation is reported once.
 * @throws TranscriptError if no run of it has sent anything.
 * @throws RecordingError if the text is not a recording that can be read.
 */
export function lintRecording(text: string): RecordingReport {
  const { events, flaws: notes } = readRecording(text);
  const granted = new Set(events.flatMap(grantedIds));
  const runs = Map.groupBy(events.flatMap(sentBy()), ({ run }) => run);
  const checked = [...runs].map(([run, sent]) => lintRun(run, sent, granted));
  if (checked.length === 0)
    throw new TranscriptError("The recording has no request and no outcome to check.");
  return {
    reports: checked.map(({ report }) => report),
    flaws: checked.flatMap(({ flaws }) => flaws),
    notes,
  };
}

/** Requests are numbered as they come. Those whose contents were not recorded are left out. */
function sentBy(): (event: RecordedEvent) => readonly SentMessages[] {
  const counts = new Map<string, number>();
  return (event) => {
    const run = [event.runId, ...event.path].join(" > ");
    if (event.type === "request") counts.set(run, (counts.get(run) ?? 0) + 1);
    if (event.type === "prompt")
      return [{ run, request: counts.get(run), messages: event.request.messages }];
    return event.type === "end"
      ? [{ run, request: undefined, messages: event.outcome.messages }]
      : [];
  };
}

function lintRun(
  run: string,
  sent: readonly SentMessages[],
  granted: ReadonlySet<string>,
): { readonly report: RunReport; readonly flaws: readonly RunFlaw[] } {
  const found = new Map<string, RunFlaw>();
  for (const { messages, request } of sent)
    for (const flaw of lintMessages(messages, granted)) {
      const key = JSON.stringify([flaw.rule, flaw.id ?? flaw.at]);
      if (!found.has(key)) found.set(key, { ...flaw, run, request });
    }
  const flaws = [...found.values()];
  const requests = sent.filter(({ request }) => request !== undefined).length;
  const evidence = `a recording of ${requests} request${requests === 1 ? "" : "s"}`;
  const messages = sent.at(-1)?.messages.length ?? 0;
  return { report: { run, shape: "fullstop", evidence, messages, flaws }, flaws };
}

/** The gate has seen the whole inputs of these calls. */
const grantedIds = (event: RecordedEvent): readonly string[] =>
  event.type === "turn" ? event.turn.calls.map(({ id }) => id) : [];
/** What the recorder writes in place of a secret. */
const redactedMark = "[redacted]";

/** A recorder may have changed an input, so an input that is not JSON here may have been JSON when it was sent. */
function lintMessages(
  messages: readonly unknown[],
  granted: ReadonlySet<string>,
): readonly LintFlaw[] {
  const { flaws } = lintTranscript(messages, { shape: "fullstop" });
  return flaws.filter(({ rule, at, id = "" }) => {
    if (rule !== "cut-input") return true;
    return !granted.has(id) && !JSON.stringify(messages[at]).includes(redactedMark);
  });
}
