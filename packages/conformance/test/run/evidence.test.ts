import { expect, test } from "vitest";
import { judge, type Subject, type Verdict } from "../../src/index.ts";
import { chatLoop, messageOf } from "./small-loops.ts";

async function verdictOf(subject: Subject, only: string): Promise<Verdict> {
  for await (const verdict of judge(subject, { only })) return verdict;
  throw new Error(`no verdict on ${only}`);
}

interface ChatCall {
  readonly id: string;
  readonly function: { readonly arguments: string };
}

test("the check of an invalid request is the message that breaks the rule", async () => {
  const loop = chatLoop((reply) => {
    const message = messageOf(reply);
    const calls = (message["tool_calls"] ?? []) as readonly ChatCall[];
    if (calls.length === 0) return undefined;
    if (reply.stop === "length") return [message, { role: "user", content: "You were cut." }];
    return [
      message,
      ...calls.map((call) => ({
        role: "tool",
        tool_call_id: call.id,
        content: reply.run(JSON.parse(call.function.arguments)),
      })),
    ];
  });
  const verdict = await verdictOf(loop, "request.valid");
  const check = verdict.broken.find(({ id }) => id === "length");
  expect(check?.actual).toContain("must be followed by tool messages");
  expect(JSON.parse(check?.bytes ?? "null")).toMatchObject([
    { role: "assistant", tool_calls: [{ id: "call_canary_1" }] },
    { role: "user", content: "You were cut." },
  ]);
});
