import type { Clause } from "../../clause.ts";
import { sameReason, whyNoInputText, unusable } from "../../harness/inputs.ts";
import { expectOnlyRuns } from "../../loop/checks.ts";
import { scripts } from "../../loop/scripts.ts";
import { readCall, writeCall } from "../../harness/scenarios.ts";
import type { ReplyCall } from "../../wire.ts";

const prefixes = ({ input }: ReplyCall): readonly string[] => {
  const text = JSON.stringify(input);
  return Array.from({ length: text.length - 1 }, (_, n) => text.slice(0, n + 1));
};

/** Cut behind an inner bracket it looks closed. */
const nested: ReplyCall = {
  name: "search",
  id: "call_search_1",
  input: { query: { all: [{ in: ["a}", []] }, { not: {} }] } },
};

export const cutInput: Clause = {
  id: "call.cut-input",
  rule: "An input that is the beginning of JSON never runs, though its call was closed and the reply was finished.",
  level: "must",
  because:
    "langchain#39275, cline#13001: closed by a repairing parser, cut inputs ran with members missing; vLLM auto-closes (vllm#53269)",
  run: expectOnlyRuns(scripts.cutInput),
  whyNotAsked: whyNoInputText,
  async *check(harness) {
    for (const call of [readCall, writeCall, nested])
      yield* unusable(harness, call, sameReason("input-cut", prefixes(call)));
  },
};
