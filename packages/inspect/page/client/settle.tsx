import type { ReviewedCall } from "@fullstop/loop";
import type { VNode } from "preact";
import { useId, useState } from "preact/hooks";
import { oneLine } from "./marks.ts";
import { Card, CopyButton } from "./parts.tsx";
import { type Answer, choicesFor, needWords, settleCode } from "./settle-code.ts";
import { Json, Verbatim } from "./verbatim.tsx";

interface SettleProps {
  readonly runId: string;
  readonly calls: readonly ReviewedCall[];
}

const firstAnswer = ({ needs }: ReviewedCall): Answer => ({
  choice: choicesFor[needs][0]?.value ?? "",
  text: "",
});

/** Turns the answers of a person into the option `waiting`. The page itself settles nothing. */
export function Settle({ runId, calls }: SettleProps): VNode {
  const [answers, setAnswers] = useState<ReadonlyMap<string, Answer>>(new Map());
  const answered = calls.map((call) => ({
    call,
    answer: answers.get(call.id) ?? firstAnswer(call),
  }));
  const code = settleCode(runId, answered);
  return (
    <Card title={calls.length === 1 ? "This call waits" : "These calls wait"} className="settle">
      <p class="muted">
        Choose an answer, and copy the code into your program. The page itself changes nothing.
      </p>
      {answered.map(({ call, answer }) => (
        <SettleCall
          key={call.id}
          call={call}
          answer={answer}
          onAnswer={(next) => setAnswers(new Map([...answers, [call.id, next]]))}
        />
      ))}
      <div class="code-head">
        <h4>The code that continues the run</h4>
        <CopyButton label="Copy" text={() => code} />
      </div>
      <Verbatim text={code} label="The code that continues the run" />
    </Card>
  );
}

interface SettleCallProps {
  readonly call: ReviewedCall;
  readonly answer: Answer;
  readonly onAnswer: (answer: Answer) => void;
}
function SettleCall({ call, answer, onAnswer }: SettleCallProps): VNode {
  const group = useId();
  const choices = choicesFor[call.needs];
  const asks = choices.find(({ value }) => value === answer.choice)?.asks;
  return (
    <fieldset class="settle-call">
      <legend>
        <code>{oneLine(call.name, 80)}</code> <span>{needWords[call.needs]}</span>
      </legend>
      <p class="facts-line">
        <code>{oneLine(call.id, 120)}</code>
      </p>
      <Verbatim text={compactJson(call.input)} label={`Input of ${call.name}`} />
      {call.question !== undefined && <Json value={call.question} label="What the tool asks" />}
      {choices.length > 1 && (
        <div class="choices">
          {choices.map(({ value, label }) => (
            <label key={value}>
              <input
                type="radio"
                name={group}
                value={value}
                checked={value === answer.choice}
                onChange={() => onAnswer({ ...answer, choice: value })}
              />
              <span>{label}</span>
            </label>
          ))}
        </div>
      )}
      {asks !== undefined && (
        <label class="answer">
          <span>{`${asks} (JSON or text)`}</span>
          <textarea
            rows={2}
            value={answer.text}
            onInput={(event) => onAnswer({ ...answer, text: event.currentTarget.value })}
          />
        </label>
      )}
    </fieldset>
  );
}

/** On one line if it is short. */
function compactJson(value: unknown): string {
  const line = JSON.stringify(value) ?? "undefined";
  return line.length <= 100 ? line : JSON.stringify(value, null, 2);
}
