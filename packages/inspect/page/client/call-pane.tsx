import type { ReviewedCall } from "@fullstop/loop";
import type { VNode } from "preact";
import type { CallStep } from "../../src/view/view.ts";
import { formatClock, formatSpan } from "./format.ts";
import { oneLine } from "./marks.ts";
import { Badge, Card } from "./parts.tsx";
import { ResultBlock } from "./prompt.tsx";
import { type CallRow, replyAnchor } from "./rows.ts";
import { Settle } from "./settle.tsx";
import { Json } from "./verbatim.tsx";
import { callWords } from "./words.ts";

/** A call that the gate issued: its input, what happened to it, and what the model got. */
export function CallPane({ row }: { readonly row: CallRow }): VNode {
  const { call, run } = row;
  const waiting = waitingCall(row);
  return (
    <>
      <p class="kicker">
        <Badge status={callWords[call.state]} />
        <span>{`turn ${row.turn.number}`}</span>
        <ReplyLink row={row} />
        {call.by === "loop" && <span>input completed by the tool (salvage)</span>}
      </p>
      <h2 tabIndex={-1}>
        Call of <code>{oneLine(call.name, 80)}</code>
      </h2>
      <p class="facts-line">
        <code>{oneLine(call.id, 120)}</code>
        {call.key !== undefined && <span>{`journal key ${oneLine(call.key, 120)}`}</span>}
        <span>{formatSpan(call.startedAt, call.endedAt)}</span>
      </p>
      {waiting !== undefined && <Settle runId={run.runId} calls={[waiting]} />}
      <Card title="What happened">
        {call.steps.length === 0 && <p class="muted">Nothing yet.</p>}
        <ol class="steps">
          {call.steps.map((step, index) => (
            <Step key={index} step={step} />
          ))}
        </ol>
      </Card>
      <Card title="Input" aside="validated by the gate">
        <Json value={call.input} label={`Input of ${oneLine(call.name, 80)}`} />
      </Card>
      {call.result !== undefined && (
        <Card title="What the model got" aside={call.result.isError ? "as an error" : undefined}>
          <ResultBlock block={call.result} />
        </Card>
      )}
    </>
  );
}

/** To the reply that was kept: the model made the call in it. */
function ReplyLink({ row }: { readonly row: CallRow }): VNode | null {
  const reply = row.turn.replies.findLast(({ kept }) => kept !== false);
  return reply === undefined ? null : <a href={`#${replyAnchor(reply)}`}>the reply that made it</a>;
}

/**
 * A call that waits, or one that was in doubt when its run was killed or aborted: the run asks about
 * it when it continues in its journal. Any other doubt was settled, and an answer changes nothing.
 */
function waitingCall({ call, run }: CallRow): ReviewedCall | undefined {
  const { outcome, path } = run;
  const asked = outcome?.waiting.find(({ id }) => id === call.id || id === call.key);
  if (asked !== undefined) return asked;
  const isOpen = outcome === undefined || outcome.status === "aborted";
  if (!isOpen || (call.state !== "in-doubt" && call.state !== "timed-out")) return undefined;
  const id = path.length > 0 ? (call.key ?? call.id) : call.id;
  return { id, name: call.name, input: call.input, needs: "settlement" };
}

function Step({ step }: { readonly step: CallStep }): VNode {
  const replayed = "replayed" in step && step.replayed;
  return (
    <li>
      <time>{formatClock(step.at)}</time>
      <div>
        <span>{stepWords(step)}</span>
        {replayed && <span class="muted"> (from the journal)</span>}
        {step.type === "progress" && <Json value={step.progress} label="Progress" />}
        {step.type === "input" && step.question !== undefined && (
          <Json value={step.question} label="What the tool asked" />
        )}
      </div>
    </li>
  );
}

const approvalWords = {
  allowed: "A person or a rule allowed it",
  denied: "It was denied",
  later: "Its decision was put off: the run waits",
} as const;
const settlementWords = {
  result: "Settled: it happened",
  "did-not-happen": "Settled: it did not happen, so it runs now",
  unknown: "Settled: unknown, so the model is asked to check",
  later: "Its settlement was put off: the run waits",
} as const;
const inputWords = {
  given: "A person answered the tool",
  later: "The tool asked a person, and the run waits",
} as const;

function stepWords(step: CallStep): string {
  switch (step.type) {
    case "approval":
      return step.reason === undefined
        ? approvalWords[step.decision]
        : `${approvalWords[step.decision]}: ${oneLine(step.reason)}`;
    case "settlement":
      return settlementWords[step.settlement];
    case "input":
      return inputWords[step.input];
    case "start":
      return "The tool started";
    case "progress":
      return "The tool reported its progress";
    case "result":
      return step.ran ? "The model got the result" : "It did not run; the model was told why";
  }
}
