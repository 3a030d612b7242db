import { render } from "../../harness/bytes.ts";
import type { Clause } from "../../clause.ts";
import { whyNoInputText, withInputText } from "../../harness/inputs.ts";
import { withBytes } from "../../harness/harness.ts";
import { readCall } from "../../harness/scenarios.ts";

const texts = [
  ' { "path" : "/srv" } ',
  '{\n  "lines": 1.0,\n  "path": "\\u00e6"\n}',
  '{"path":"a","path":"b"}',
  '{"b":1,"a":{"2":true,"1":false}}',
  '{"path":"🧊 \\ud83e\\uddca \\/ /"}',
  '{"lines":1e3,"of":-0}',
  "{ }",
];

export const inputExact: Clause = {
  id: "call.input-exact",
  rule: "A call runs with what the model wrote, parsed once; history keeps the text itself, byte for byte.",
  level: "must",
  because:
    "pydantic-ai#6968: what ran was not what was approved; claude-code#63284: blocks written anew are a 400",
  whyNotAsked: whyNoInputText,
  async *check(harness) {
    for (const text of texts) {
      const frames = withInputText(harness, [readCall], text);
      if (frames === undefined) continue;
      const { bytes } = render(frames);
      const turn = await harness.ask(bytes);
      const kept = turn.message?.content
        .map((block) => (block.type === "tool-call" ? block.inputText : ""))
        .join("");
      const expected = `${JSON.stringify(JSON.parse(text))}, kept as ${text}`;
      yield withBytes(
        {
          at: `the input ${text}`,
          expected,
          actual: `${JSON.stringify(turn.calls[0]?.input)}, kept as ${kept}`,
        },
        bytes,
      );
    }
  },
};
