import type { VNode } from "preact";
import type { ReplyView } from "../../src/view/view.ts";
import { formatCount, formatUsage } from "./format.ts";

/** The tokens of a reply against the output cap that was sent. */
export function UsageBar({ reply }: { readonly reply: ReplyView }): VNode {
  const { cap, verdict } = reply;
  if (verdict === undefined) return <p class="muted">No usage has arrived.</p>;
  const { usage } = verdict;
  const counted = usage.towardCap === undefined ? usage.output : usage.towardCap;
  if (usage.output === 0) {
    return <p class="muted">The provider reported no usage of output for this reply.</p>;
  }
  return (
    <div class="usage">
      {cap !== undefined && counted !== null && <Bar used={counted} cap={cap} />}
      {cap === undefined && (
        <p class="muted">
          {reply.replayed ? "The journal does not keep the cap." : "No output cap was sent."}
        </p>
      )}
      {counted === null && (
        <p class="muted">This provider counts in a way that cannot be compared with the cap.</p>
      )}
      <p class="numbers">{formatUsage(usage)}</p>
    </div>
  );
}

function Bar({ used, cap }: { readonly used: number; readonly cap: number }): VNode {
  const share = cap > 0 ? used / cap : 0;
  const isReached = used >= cap;
  const percent = Math.round(share * 100);
  return (
    <div class={isReached ? "bar reached" : "bar"}>
      <p class="bar-label">
        <span>
          <strong>{formatCount(used)}</strong> of {formatCount(cap)} tokens
        </span>
        <span class="bar-word">{isReached ? "cap reached" : `${percent} % of the cap`}</span>
      </p>
      <meter class="sr" max={cap} value={used} aria-label="Usage against the output cap">
        {`${formatCount(used)} of ${formatCount(cap)} tokens`}
      </meter>
      <div class="bar-track" aria-hidden="true">
        <div class="bar-fill" style={{ width: `${Math.min(100, share * 100)}%` }} />
      </div>
    </div>
  );
}
