import type { RuleResult } from "@fullstop/core";
import type { VNode } from "preact";
import type { VerdictView } from "../../src/view/view.ts";
import { Card, Sign } from "./parts.tsx";
import { Marked } from "./verbatim.tsx";
import { decisiveRule, ruleWords } from "./words.ts";

/** The rules of the gate in their order, each passed or failed. */
export function GateList({ verdict }: { readonly verdict: VerdictView }): VNode {
  const { rules } = verdict;
  const failed = rules.filter(({ passed }) => !passed).length;
  const first = decisiveRule(rules);
  return (
    <Card
      title="The gate"
      className="gate"
      aside={rules.length > 0 && `${rules.length - failed} of ${rules.length} passed`}
    >
      {rules.length === 0 && (
        <p class="muted">The recording does not have the results of the rules for this reply.</p>
      )}
      <ol class="rules">
        {rules.map((result) => (
          <Rule key={result.rule} result={result} isFirst={result === first} />
        ))}
      </ol>
    </Card>
  );
}

interface RuleProps {
  readonly result: RuleResult;
  readonly isFirst: boolean;
}
function Rule({ result, isFirst }: RuleProps): VNode {
  const { rule, passed, reason, detail } = result;
  return (
    <li class={`rule ${passed ? "passed" : "failed"} ${isFirst ? "decisive" : ""}`}>
      <Sign tone={passed ? "granted" : "withheld"} />
      <div>
        <p class="rule-line">
          <span class="sr">{passed ? "Passed: " : "Failed: "}</span>
          <span class="rule-words">{ruleWords[rule] ?? rule}</span>
          <code class="rule-name">{rule}</code>
        </p>
        {!passed && (
          <p class="rule-detail">
            <strong>{isFirst ? "First rule that failed" : "Failed too"}</strong>
            {reason !== undefined && <code>{reason}</code>}
            {detail !== undefined && (
              <span>
                <Marked text={detail} />
              </span>
            )}
          </p>
        )}
      </div>
    </li>
  );
}
