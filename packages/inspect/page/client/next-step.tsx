import type { VNode } from "preact";
import { formatMany, formatUsage } from "./format.ts";
import { oneLine } from "./marks.ts";
import { Sign } from "./parts.tsx";
import { callAnchor, type ReplyRow, type Row, replyAnchor } from "./rows.ts";
import { callWords, recoveryWords } from "./words.ts";

/** What the loop did after a reply, and what that cost. */
export function NextStep({ row }: { readonly row: ReplyRow }): VNode {
  const { reply, turn, run } = row;
  const isLast = turn.replies.at(-1) === reply;
  const { recovery, recoveryCost } = reply;
  if (recovery !== undefined) {
    return (
      <>
        <p class="lead">{recoveryWords[recovery.action] ?? recovery.action}</p>
        <p class="facts-line">
          <code>{recovery.action}</code>
          <FollowingReply row={row} />
        </p>
        {recoveryCost !== undefined && (
          <p class="numbers">
            {`Cost: ${formatMany(recoveryCost.requests, "request")}, ${formatUsage(recoveryCost.usage)}`}
          </p>
        )}
      </>
    );
  }
  if (isLast && turn.calls.length > 0) return <Calls row={row} />;
  if (reply.verdict === undefined) return <p class="muted">The reply is not complete.</p>;
  if (reply.kept === false) {
    return (
      <p class="lead">
        Requested the turn again <FollowingReply row={row} />
      </p>
    );
  }
  const { outcome } = run;
  return (
    <p class="lead">
      {run.turns.at(-1) === turn && outcome !== undefined
        ? `Ended the run: ${outcome.status}`
        : "Continued with the next turn"}
    </p>
  );
}

/** The reply that was requested because of this one. */
function followingReply({ reply, turn, run }: ReplyRow) {
  const later = turn.replies[turn.replies.indexOf(reply) + 1];
  return later ?? run.turns[run.turns.indexOf(turn) + 1]?.replies[0];
}

function FollowingReply({ row }: { readonly row: ReplyRow }): VNode | null {
  const next = followingReply(row);
  if (next === undefined) return null;
  return <a href={`#${replyAnchor(next)}`}>to the reply that followed →</a>;
}

function Calls({ row: { turn, run } }: { readonly row: ReplyRow }): VNode {
  return (
    <>
      <p class="lead">{`Ran ${formatMany(turn.calls.length, "call")}`}</p>
      <ul class="call-links">
        {turn.calls.map((call) => (
          <li key={call.key ?? call.id}>
            <CallLink row={{ kind: "call", call, turn, run }} />
          </li>
        ))}
      </ul>
    </>
  );
}

type Linked = Pick<Extract<Row, { kind: "call" }>, "kind" | "call" | "turn" | "run">;
function CallLink({ row: { call, turn, run } }: { readonly row: Linked }): VNode {
  const status = callWords[call.state];
  return (
    <a href={`#${callAnchor(run, turn, call)}`}>
      <Sign tone={status.tone} />
      <code>{oneLine(call.name, 60)}</code>
      <span class="muted">{status.word}</span>
    </a>
  );
}
