import type { VNode } from "preact";
import { formatBytes, formatClock, formatSpan } from "./format.ts";
import { Frames } from "./frames.tsx";
import { GateList } from "./gate-list.tsx";
import { Headline } from "./headline.tsx";
import { Inputs } from "./inputs.tsx";
import { oneLine } from "./marks.ts";
import { NextStep } from "./next-step.tsx";
import { Badge, Card, CopyButton, Fact, Fold } from "./parts.tsx";
import { Prompt } from "./prompt.tsx";
import type { ReplyRow } from "./rows.ts";
import { SaveFixture } from "./save-fixture.tsx";
import { UsageBar } from "./usage-bar.tsx";
import { Json, Marked, Verbatim } from "./verbatim.tsx";
import { isWithheld } from "./words.ts";

/** One reply: what arrived, what the gate decided, and what the loop did next. */
export function ReplyPane({ row }: { readonly row: ReplyRow }): VNode {
  const { reply } = row;
  const { verdict } = reply;
  // The reader came for what was withheld. Otherwise the verdict comes first.
  const isHeldBack = reply.inputs.some(isWithheld);
  return (
    <>
      <ReplyHead row={row} />
      {verdict?.error !== undefined && !verdict.explanation.includes(verdict.error.message) && (
        <p class="error-line">
          <Marked text={verdict.error.message} />
        </p>
      )}
      {isHeldBack && <Inputs reply={reply} />}
      <div class="columns">
        {verdict === undefined ? (
          <Card title="The gate">
            <p class="muted">The gate has not judged this reply.</p>
          </Card>
        ) : (
          <GateList verdict={verdict} />
        )}
        <div class="column">
          <StopCard row={row} />
          <Card title="Usage against the cap">
            <UsageBar reply={reply} />
          </Card>
          <Card title="What the loop did next" className="next">
            <NextStep row={row} />
          </Card>
          <Frames reply={reply} />
        </div>
      </div>
      {!isHeldBack && <Inputs reply={reply} />}
      {reply.text !== "" && (
        <Card title="Text" aside="as the person saw it arrive">
          <Verbatim text={reply.text} label="Text" />
        </Card>
      )}
      {reply.thinking !== "" && (
        <Fold title="Thinking">{() => <Verbatim text={reply.thinking} label="Thinking" />}</Fold>
      )}
      <Prompt prompt={reply.prompt} />
    </>
  );
}

function ReplyHead({ row }: { readonly row: ReplyRow }): VNode {
  const { reply, turn, status, anchor } = row;
  const { verdict, from, attempt, reason } = reply;
  return (
    <header class="pane-head">
      <div class="kicker">
        <Badge status={status} />
        <span>{`turn ${turn.number}, request ${attempt}`}</span>
        {reason !== undefined && <span class="tag">{`asked because of ${reason}`}</span>}
        {reply.replayed && <span class="tag">from the journal</span>}
        {reply.kept === false && <span class="tag">not kept</span>}
        {verdict?.turn.leakedCall !== undefined && <span class="tag">call written as text</span>}
        <div class="actions">
          <SaveFixture reply={reply} />
          <CopyButton label="Copy link" text={() => linkTo(anchor)} />
        </div>
      </div>
      <Headline text={verdict?.explanation ?? "This reply has not ended."} />
      <p class="facts-line">
        {from !== undefined && <strong>{oneLine(from.model, 80)}</strong>}
        {from !== undefined && <span>{oneLine(`${from.provider}, ${from.protocol}`, 120)}</span>}
        {reply.effort !== undefined && <span>{`effort ${reply.effort}`}</span>}
        {timeWords(row).map((words) => (
          <span key={words}>{words}</span>
        ))}
      </p>
    </header>
  );
}

const linkTo = (anchor: string): string => `${location.href.split("#")[0]}#${anchor}`;

function timeWords({ reply }: ReplyRow): readonly string[] {
  const { requestedAt, firstByteAt, endedAt, frames } = reply;
  const first = formatSpan(requestedAt, firstByteAt);
  const total = formatSpan(requestedAt, endedAt);
  const bytes = frames.reduce((sum, frame) => sum + frame.bytes, 0);
  return [
    requestedAt === undefined ? undefined : formatClock(requestedAt),
    first && `first byte after ${first}`,
    total && `${total} in all`,
    bytes > 0 ? `${formatBytes(bytes)} in ${frames.length} frames` : undefined,
  ].filter((words): words is string => words !== undefined && words !== "");
}

/** The provider's own stop reason, and what Fullstop makes of it. */
function StopCard({ row: { reply } }: { readonly row: ReplyRow }): VNode {
  const { verdict } = reply;
  return (
    <Card title="Stop reason">
      {verdict === undefined ? (
        <p class="muted">None has arrived.</p>
      ) : (
        <>
          <dl class="stop">
            <Fact name="the provider said">
              {verdict.native === undefined ? (
                <span class="none">nothing</span>
              ) : (
                <code>{oneLine(verdict.native.stop, 80)}</code>
              )}
            </Fact>
            <Fact name="the gate decided">
              <code>{verdict.stopReason}</code>
            </Fact>
          </dl>
          {verdict.native?.detail !== undefined && (
            <Json value={verdict.native.detail} label="Details of the stop reason" />
          )}
          <p class="facts-line optional">
            {verdict.error !== undefined && (
              <span>{`error of the kind ${verdict.error.kind}`}</span>
            )}
            {verdict.requestId !== undefined && (
              <span>
                request id <code>{oneLine(verdict.requestId, 120)}</code>
              </span>
            )}
          </p>
        </>
      )}
    </Card>
  );
}
