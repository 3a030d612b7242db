import type { VNode } from "preact";
import { useMemo } from "preact/hooks";
import type { InputView, ReplyView } from "../../src/view/view.ts";
import { formatBytes, formatMs } from "./format.ts";
import { oneLine } from "./marks.ts";
import { Badge } from "./parts.tsx";
import { diffRepair } from "./repair-diff.ts";
import { Marked, scrollToEnd, Verbatim } from "./verbatim.tsx";
import type { Status } from "./words.ts";

const inputWords: Readonly<Record<InputView["verdict"], Status>> = {
  arriving: { tone: "busy", word: "arriving" },
  call: { tone: "granted", word: "call granted" },
  withheld: { tone: "withheld", word: "withheld" },
};

/** Each input of a tool in a reply, as it arrived. */
export function Inputs({ reply }: { readonly reply: ReplyView }): VNode | null {
  if (reply.inputs.length === 0) return null;
  return (
    <>
      {reply.inputs.map((input) => (
        <InputCard key={input.key} input={input} reply={reply} />
      ))}
    </>
  );
}

interface InputProps {
  readonly input: InputView;
  readonly reply: ReplyView;
}
function InputCard({ input, reply }: InputProps): VNode {
  const name = oneLine(input.name ?? "a tool without a name", 80);
  const { repaired } = input;
  return (
    <section class="card input">
      <header class="card-head">
        <h3>
          Input of <code>{name}</code>
        </h3>
        <div class="aside">
          <Badge status={inputWords[input.verdict]} />
        </div>
      </header>
      <div class="card-body">
        <p class="facts-line">
          <strong>{formatBytes(input.bytes)}</strong>
          <span>{closing(input, reply)}</span>
          {input.id !== undefined && <code>{oneLine(input.id, 80)}</code>}
          {input.withheldReason !== undefined && <code>{input.withheldReason}</code>}
        </p>
        <div class={repaired === undefined ? "" : "beside"}>
          <div>
            {repaired !== undefined && <h4>What arrived, byte for byte</h4>}
            <Verbatim
              text={input.text}
              label={`What arrived for ${name}`}
              isAtEnd={input.verdict === "withheld"}
            />
          </div>
          {repaired !== undefined && <Repair input={input} repaired={repaired.text} name={name} />}
        </div>
      </div>
    </section>
  );
}

function closing({ startedAt, closedAt, verdict }: InputView, reply: ReplyView): string {
  if (closedAt === undefined) {
    if (verdict === "arriving" && reply.endedAt === undefined) return "still open";
    return verdict === "call"
      ? "the protocol does not mark the end of an input"
      : "the protocol never closed it";
  }
  return `closed by the protocol after ${formatMs(Math.max(0, closedAt - startedAt))}`;
}

interface RepairProps {
  readonly input: InputView;
  readonly repaired: string | undefined;
  readonly name: string;
}

/** What a program would have run that repairs cut JSON, and what in it was made up. */
function Repair({ input, repaired, name }: RepairProps): VNode {
  const diff = useMemo(
    () => (repaired === undefined ? undefined : diffRepair(input.text, repaired)),
    [input.text, repaired],
  );
  if (diff === undefined) {
    return (
      <div>
        <h4>What a repair would have run</h4>
        <p class="muted">Nothing: even a repair gives up on this text.</p>
      </div>
    );
  }
  return (
    <div class="repair">
      <h4>What a repair would have run</h4>
      <figure
        class="verbatim"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keys
        tabIndex={0}
        aria-label={`What a repair would have run for ${name}`}
        dir="ltr"
        ref={scrollToEnd}
      >
        <Kept text={diff.kept} />
        {diff.dropped !== "" && (
          <del>
            <span class="sr">dropped by the repair: </span>
            <Kept text={diff.dropped} />
          </del>
        )}
        {diff.invented !== "" && (
          <ins>
            <span class="sr">made up by the repair: </span>
            <Kept text={diff.invented} />
          </ins>
        )}
        <Kept text={diff.rest} />
      </figure>
      <p class="legend">
        {diff.invented !== "" && <ins>made up by the repair</ins>}
        {diff.dropped !== "" && <del>dropped by the repair</del>}
        {diff.invented === "" && diff.dropped === "" && (
          <strong class="ink-withheld">
            Nothing is added: the text is complete JSON, and would have run as it is.
          </strong>
        )}
      </p>
    </div>
  );
}

const keptLength = 1_200;
/** A long text that both have: its ends. The whole of it stands beside. */
function Kept({ text }: { readonly text: string }): VNode {
  if (text.length <= keptLength * 2.5) return <Marked text={text} />;
  const left = text.length - keptLength * 2;
  return (
    <>
      <Marked text={text.slice(0, keptLength)} />
      <span class="skip">{`… ${formatBytes(left)} as they arrived …`}</span>
      <Marked text={text.slice(-keptLength)} />
    </>
  );
}
