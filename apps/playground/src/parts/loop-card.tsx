import { diffRepair, Marked, oneLine, Sign } from "@fullstop/inspect/page-parts";
import type { VNode } from "preact";
import { type LoopName, loopTexts, type RunCall } from "../reply/loops.ts";
import { runsText } from "../reply/survey.ts";

interface LoopProps {
  readonly name: LoopName;
  readonly calls: readonly RunCall[];
  /** The calls that the gate issues. */
  readonly gate: readonly RunCall[];
}

/** What one loop would run now. */
export function LoopCard({ name, calls, gate }: LoopProps): VNode {
  const { label, rule } = loopTexts[name];
  const runs = calls.length > 0;
  const isWrong = name !== "gate" && runsText(calls) !== runsText(gate);
  const tone = isWrong ? "withheld" : "granted";
  return (
    <article class={`loop ${runs ? "runs" : "idle"} ${isWrong ? "wrong" : "right"} ${name}`}>
      <h3>{label}</h3>
      <p class="loop-rule">{rule}</p>
      <p class="loop-verdict">
        {(runs || isWrong) && <Sign tone={tone} />}
        <strong>{verdictWords(runs, isWrong, gate.length > 0)}</strong>
      </p>
      {calls.map((call, index) => (
        <Call key={index} call={call} />
      ))}
    </article>
  );
}

function verdictWords(runs: boolean, isWrong: boolean, isFinished: boolean): string {
  if (!runs) return isWrong ? "Runs nothing of a finished reply" : "Runs nothing";
  if (!isWrong) return "Runs";
  return isFinished ? "Runs something else" : "Runs what is not finished";
}

/** The call, and what in its input was made up. */
function Call({ call }: { readonly call: RunCall }): VNode {
  const { name, input, arrived } = call;
  const diff = arrived === undefined ? undefined : diffRepair(arrived, input);
  return (
    <figure class="run verbatim" aria-label={`Runs ${oneLine(name, 60)}`}>
      <b>{oneLine(name, 60)}</b>{" "}
      {diff === undefined ? (
        <Marked text={input} />
      ) : (
        <>
          <Marked text={diff.kept} />
          {diff.dropped !== "" && (
            <del>
              <span class="sr">dropped: </span>
              <Marked text={diff.dropped} />
            </del>
          )}
          {diff.invented !== "" && (
            <ins>
              <span class="sr">made up: </span>
              <Marked text={diff.invented} />
            </ins>
          )}
          <Marked text={diff.rest} />
        </>
      )}
    </figure>
  );
}
