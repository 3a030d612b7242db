import {
  Badge,
  Card,
  Fact,
  GateList,
  Headline,
  Marked,
  replyStatus,
  SaveFixture,
  UsageBar,
} from "@fullstop/inspect/page-parts";
import type { VNode } from "preact";
import type { PageContent } from "../corpus.ts";
import type { Reading } from "../page/use-reading.ts";
import { clauseFor } from "../reply/clauses.ts";
import { loopNames } from "../reply/loops.ts";
import { Arrivals } from "./arrivals.tsx";
import { Bytes } from "./bytes.tsx";
import { LoopCard } from "./loop-card.tsx";
import { Clause } from "./source.tsx";

interface ResultsProps {
  readonly reading: Reading;
  readonly content: PageContent;
}

/** Everything about the bytes that arrived. */
export function Results({ reading, content }: ResultsProps): VNode {
  const { reply, calls, judged, scene, cut } = reading;
  const { verdict } = reply;
  const clause = content.clauses[clauseFor(judged.turn)];
  const text = new TextDecoder().decode(scene.whole.bytes.subarray(0, cut));
  return (
    <div class="results" data-cut={cut}>
      <section class="verdict" aria-label="The verdict">
        <Badge status={replyStatus(reply)} />
        <Headline text={verdict?.explanation ?? ""} />
        <SaveFixture reply={reply} text={text} />
      </section>
      <section class="loops" aria-label="What would run">
        {loopNames.map((name) => (
          <LoopCard key={name} name={name} calls={calls[name]} gate={calls.gate} />
        ))}
      </section>
      <div class="evidence">
        <Bytes reading={reading} />
        <div class="column">
          <Arrivals reading={reading} />
          <Card title="Stop reason and usage">
            <dl class="stop">
              <Fact name="the provider said">
                {judged.turn.native === undefined ? (
                  <span class="none">nothing yet</span>
                ) : (
                  <code>
                    <Marked text={judged.turn.native.stop} />
                  </code>
                )}
              </Fact>
              <Fact name="the gate decided">
                <code>{judged.turn.stopReason}</code>
              </Fact>
            </dl>
            <UsageBar reply={reply} />
          </Card>
          {clause !== undefined && (
            <Card title="The clause of the suite, and its sources">
              <Clause clause={clause} />
            </Card>
          )}
        </div>
        <div class="column">{verdict !== undefined && <GateList verdict={verdict} />}</div>
      </div>
    </div>
  );
}
