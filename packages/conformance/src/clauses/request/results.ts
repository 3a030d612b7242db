import type { Message, ToolResultBlock, Turn } from "@fullstop/core";
import { parseJson, render } from "../../harness/bytes.ts";
import type { Clause } from "../../clause.ts";
import { parts, checkRequest, sentBody } from "../../harness/history.ts";
import { withBytes, defaultRequest } from "../../harness/harness.ts";
import { callShapes, repliesFor } from "../../harness/scenarios.ts";

const text = (n: number): string => `The result numbered ${n}.`;
type Answering = (call: Turn["calls"][number], n: number) => ToolResultBlock;
const answers: Readonly<Record<string, Answering>> = {
  "plain results": ({ id, name }, n) => ({ type: "tool-result", id, name, content: text(n) }),
  "failed results": ({ id, name }, n) => ({
    type: "tool-result",
    id,
    name,
    content: text(n),
    isError: true,
  }),
  "results in blocks": ({ id, name }, n) => ({
    type: "tool-result",
    id,
    name,
    content: [{ type: "text", text: text(n) }],
  }),
};
const note: Message = { role: "user", content: "Be quick." };

export const results: Clause = {
  id: "request.results",
  rule: "The next request holds the result of every call that ran, once and in order, and keeps the vendor's rules with a note behind them.",
  level: "must",
  because:
    "hermes-agent#88324: results lost by deduplicating ids; claude-code#18947: results apart from their calls",
  async *check(harness) {
    for (const { name, reply } of repliesFor(harness.wire, callShapes)) {
      const turn = await harness.ask(render(harness.wire.frames(reply)).bytes);
      if (turn.message === undefined) continue;
      for (const [kind, answer] of Object.entries(answers)) {
        const messages: readonly Message[] = [
          ...defaultRequest.messages,
          turn.message,
          { role: "tool", content: turn.calls.map(answer) },
        ];
        const body = parseJson(await sentBody(harness, { messages }));
        const found = [...parts(body)].filter(
          (part): part is string =>
            typeof part === "string" && part.startsWith("The result numbered "),
        );
        yield withBytes({
          at: `${name}, ${kind}`,
          expected: turn.calls.map((_, n) => text(n)).join(" "),
          actual: found.join(" "),
        });
        yield checkRequest(harness, `${name}, ${kind}, the rules`, messages);
        yield checkRequest(harness, `${name}, ${kind} and a note`, [...messages, note]);
      }
    }
  },
};
