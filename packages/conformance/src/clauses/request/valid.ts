import type { Message, Turn } from "@fullstop/core";
import { lengths, render } from "../../bytes.ts";
import type { Clause } from "../../clause.ts";
import { nextMessages, sendable } from "../../history.ts";
import { type Exchange, question, type Rig } from "../../rig.ts";

async function follow(rig: Rig, exchange: Exchange, length: number): Promise<{ turn: Turn; messages: readonly Message[] }> {
  const turn = await rig.ask(render(exchange.frames).bytes.subarray(0, length));
  return { turn, messages: nextMessages(question.messages, turn) };
}

export const valid: Clause = {
  id: "request.valid",
  rule: "The request after any reply, whole or cut, keeps the vendor's rules for histories.",
  level: "must",
  because: "claude-code#8210, gemini-cli#16202, letta#3273: one invalid request, and every later one gets the same 400",
  async *prove(rig) {
    yield sendable(rig, "the first request", question.messages);
    for (const exchange of rig.exchanges) {
      const rendered = render(exchange.frames);
      for (const length of [...lengths(rendered, false), rendered.bytes.length]) {
        const { messages } = await follow(rig, exchange, length);
        yield sendable(rig, `after ${exchange.name}, ${length} bytes of it`, messages);
      }
    }
  },
};
