import { byteLength, Card, formatBytes, oneLine, Verbatim } from "@fullstop/inspect/page-parts";
import type { VNode } from "preact";
import type { Reading } from "../page/use-reading.ts";
import type { ArrivedInput } from "../reply/loops.ts";

/** What has arrived of each call, and of the text. */
export function Arrivals({ reading }: { readonly reading: Reading }): VNode {
  const { inputs, judged } = reading;
  return (
    <Card title="What has arrived" className="arrivals">
      {inputs.length === 0 && <p class="muted">No part of a call.</p>}
      {inputs.map((input, index) => (
        <Arrival key={index} input={input} />
      ))}
      {judged.turn.text !== "" && (
        <div class="arrival">
          <h4>Text</h4>
          <Verbatim text={judged.turn.text} label="Text that has arrived" />
        </div>
      )}
    </Card>
  );
}

function Arrival({ input }: { readonly input: ArrivedInput }): VNode {
  const { name, text, isClosed } = input;
  const shown = oneLine(name ?? "a tool without a name", 80);
  return (
    <div class="arrival">
      <h4>
        Call of <code>{shown}</code>
        <span class={isClosed ? "closed" : "open"}>
          {isClosed ? "closed by the protocol" : "still open"}
        </span>
        <span>{formatBytes(byteLength(text))}</span>
      </h4>
      <Verbatim text={text} label={`What has arrived for ${shown}`} />
    </div>
  );
}
