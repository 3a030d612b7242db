import type { AssistantMessage, Message, Turn } from "@fullstop/core";
import { render } from "../../harness/bytes.ts";
import type { Clause } from "../../clause.ts";
import { withResults } from "../../harness/history.ts";
import { finishedReply } from "../../harness/inputs.ts";
import { withBytes, defaultRequest } from "../../harness/harness.ts";
import type { ReplyCall } from "../../wire.ts";

const ids = (turn: Turn): string => {
  const all = turn.calls.map(({ id }) => id);
  return all.length === new Set(all).size && all.every((id) => id.trim() !== "")
    ? `${all.length} ids, each its own`
    : `the ids ${JSON.stringify(all)}`;
};
const reads = (...native: readonly string[]): readonly ReplyCall[] =>
  native.map((id, n) => ({ name: "read", id, input: { path: `/${n}` } }));
const idsOf = (messages: readonly Message[]): readonly string[] =>
  messages.flatMap((message) => (message.role === "assistant" ? blockIds(message) : []));
const blockIds = ({ content }: AssistantMessage): readonly string[] =>
  content.flatMap((block) => (block.type === "tool-call" ? [block.id] : []));

export const idsUnique: Clause = {
  id: "call.ids-unique",
  rule: "Every call has an id of its own in the whole history, whether the provider gave none, the same twice, or one of an earlier turn.",
  level: "must",
  because: "hermes-agent#88324: hosts reuse read:0 each turn, and 196 of 374 results were lost",
  async *check(harness) {
    for (const native of [
      ["call_a", "call_b"],
      ["same", "same"],
      ["", ""],
      ["", "call_1_0"],
      ["call_1_1", "call_1_1"],
      ["read:0", "read:0", "read:0"],
    ]) {
      const { bytes } = render(finishedReply(harness, reads(...native)));
      const at = `calls with the ids ${JSON.stringify(native)}`;
      yield withBytes(
        {
          at,
          expected: `${native.length} ids, each its own`,
          actual: ids(await harness.ask(bytes)),
        },
        bytes,
      );
    }
    for (const native of ["read:0", "", "call_1_0"]) {
      const { bytes } = render(finishedReply(harness, reads(native)));
      let messages = defaultRequest.messages;
      for (let turns = 1; turns <= 3; turns++)
        messages = withResults(messages, await harness.ask(bytes, { request: { messages } }));
      const all = idsOf(messages);
      yield withBytes(
        {
          at: `three turns that say the id ${JSON.stringify(native)}`,
          expected: "3 ids",
          actual: `${new Set(all).size} ids`,
        },
        bytes,
      );
    }
  },
};
