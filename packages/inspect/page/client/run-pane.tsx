import type { VNode } from "preact";
import type { RunView } from "../../src/view/view.ts";
import { formatCount, formatDate, formatMany, formatSpan } from "./format.ts";
import { titleOf } from "./outline.tsx";
import { Badge, Card, Fact, Sign } from "./parts.tsx";
import type { Row, RunRow } from "./rows.ts";
import { Settle } from "./settle.tsx";
import { Timeline } from "./timeline.tsx";
import { Marked, Verbatim } from "./verbatim.tsx";
import { decisiveRule } from "./words.ts";

interface RunPaneProps {
  readonly row: RunRow;
  readonly rows: readonly Row[];
  /** What cannot be read in the file. */
  readonly flaws: readonly string[];
}

/** A run: how it ended, what deserves a look, what waits, and its timeline. */
export function RunPane({ row, rows, flaws }: RunPaneProps): VNode {
  const { run } = row;
  const { outcome } = run;
  const own = rows.filter((other) => isWithin(other.run, run));
  return (
    <>
      <header class="pane-head">
        <p class="kicker">
          <Badge status={row.status} />
          <span>{formatDate(run.startedAt)}</span>
          <span>{formatSpan(run.startedAt, run.endedAt)}</span>
        </p>
        <h2 tabIndex={-1}>
          <Marked text={outcome?.summary ?? "This run has not ended, or its recording was cut."} />
        </h2>
        <p class="facts-line">
          <span>{run.path.length === 0 ? "run" : "sub-agent in run"}</span>
          <code>
            <Marked text={run.runId} />
          </code>
        </p>
      </header>
      {flaws.length > 0 && <Flaws flaws={flaws} />}
      <Numbers run={run} />
      <Attention rows={own} />
      {outcome !== undefined && outcome.waiting.length > 0 && (
        <Settle runId={run.runId} calls={outcome.waiting} />
      )}
      <Timeline rows={own} />
      {outcome !== undefined && outcome.text !== "" && (
        <Card title="The answer">
          <Verbatim text={outcome.text} label="The answer" />
        </Card>
      )}
    </>
  );
}

const isWithin = (inner: RunView, outer: RunView): boolean =>
  inner.runId === outer.runId && outer.path.every((key, index) => inner.path[index] === key);

function Numbers({ run }: { readonly run: RunView }): VNode {
  const { totals, outcome } = run;
  const discarded = totals.discarded.input + totals.discarded.output;
  return (
    <dl class="totals">
      <Fact name="requests">{formatCount(totals.requests)}</Fact>
      <Fact name="calls">{formatCount(totals.calls)}</Fact>
      <Fact name="withheld">
        <span class={totals.withheld > 0 ? "ink-withheld" : ""}>
          {formatCount(totals.withheld)}
        </span>
      </Fact>
      <Fact name="in doubt">
        <span class={totals.inDoubt > 0 ? "ink-doubt" : ""}>{formatCount(totals.inDoubt)}</span>
      </Fact>
      <Fact name="recoveries">{formatCount(totals.recoveries)}</Fact>
      <Fact name="tokens in">{formatCount(totals.usage.input)}</Fact>
      <Fact name="tokens out">{formatCount(totals.usage.output)}</Fact>
      <Fact name="discarded tokens">{formatCount(discarded)}</Fact>
      {outcome?.cost !== undefined && <Fact name="cost">{outcome.cost.toPrecision(3)}</Fact>}
    </dl>
  );
}

const manyLines = 12;
const telling: ReadonlySet<Row["status"]["tone"]> = new Set(["withheld", "doubt", "failed"]);

/** The lines that a reader probably came for. */
function Attention({ rows }: { readonly rows: readonly Row[] }): VNode | null {
  const found = rows.filter((row) => row.kind !== "run" && telling.has(row.status.tone));
  if (found.length === 0) return null;
  return (
    <Card title="Look here" aside={formatMany(found.length, "line")} className="attention">
      <ul>
        {found.slice(0, manyLines).map((row) => (
          <li key={row.anchor}>
            <a href={`#${row.anchor}`}>
              <Sign tone={row.status.tone} />
              <span class="attention-title">{titleOf(row)}</span>
              <span class={`word ${row.status.tone}`}>{row.status.word}</span>
              <span class="attention-why">
                <Marked text={whyOf(row)} />
              </span>
            </a>
          </li>
        ))}
      </ul>
      {found.length > manyLines && (
        <p class="muted">{`${found.length - manyLines} more: use the filters of the list.`}</p>
      )}
    </Card>
  );
}

function whyOf(row: Row): string {
  if (row.kind === "call") return row.call.result?.isError ? "the model got an error" : "";
  if (row.kind === "run") return "";
  const { verdict, inputs } = row.reply;
  const first = decisiveRule(verdict?.rules ?? []);
  const names = inputs.map(({ name }) => name ?? "a tool without a name").join(", ");
  const why = first === undefined ? (verdict?.stopReason ?? "") : `${first.rule} failed`;
  return names === "" ? why : `${names}: ${why}`;
}

function Flaws({ flaws }: { readonly flaws: readonly string[] }): VNode {
  return (
    <Card title="Not everything could be read" className="flaws">
      <ul>
        {flaws.slice(0, manyLines).map((flaw) => (
          <li key={flaw}>
            <Marked text={flaw} />
          </li>
        ))}
      </ul>
      {flaws.length > manyLines && <p class="muted">{`${flaws.length - manyLines} more`}</p>}
    </Card>
  );
}
