import type { AssistantMessage, Message, Origin, ToolMessage } from "@fullstop/core";
import { parseJson } from "../../harness/bytes.ts";
import type { Clause } from "../../clause.ts";
import { parts, checkRequest, sentBody } from "../../harness/history.ts";
import { withBytes, defaultRequest } from "../../harness/harness.ts";

const from: Origin = { provider: "x-elsewhere", protocol: "x-protocol", model: "x-model" };
const secret = "x-sealed-for-somebody-else";

const turnOf = (id: string, nativeId: string): readonly [AssistantMessage, ToolMessage] => [
  {
    role: "assistant",
    from,
    content: [
      { type: "thinking", text: "Let me think.", providerData: { signature: secret } },
      { type: "native", data: { type: "x_server_call", payload: secret } },
      { type: "text", text: "I will read.", providerData: secret },
      {
        type: "tool-call",
        id,
        nativeId,
        name: "read",
        inputText: '{"path": "/srv"}',
        providerData: secret,
      },
    ],
  },
  {
    role: "tool",
    content: [{ type: "tool-result", id, name: "read", content: `Read by ${id.length}.` }],
  },
];
const go: Message = { role: "user", content: "Now you." };

/** Ids that other providers give: too long, with characters that some refuse, equal once they are shortened. */
const ids: Readonly<Record<string, readonly string[]>> = {
  "ids of 450 characters that differ at their ends": [
    `fc_${"a".repeat(446)}1`,
    `fc_${"a".repeat(446)}2`,
  ],
  "ids with dots, colons and bars": ["functions.read:0", "functions.read:1", "call|1", "call_1"],
  "ids in other scripts": ["呼び出し-1", "呼び出し-2"],
};

export const foreign: Clause = {
  id: "request.foreign",
  rule: "A history that another provider wrote can be sent: ids fitted and still paired, what was sealed for the other left out.",
  level: "must",
  because:
    "pi#198, openclaw#7107: ids of 450 characters against 40 allowed; pi#6996: signatures of another model are a 400",
  async *check(harness) {
    for (const [at, list] of Object.entries(ids)) {
      const messages = [...defaultRequest.messages, ...list.flatMap((id) => turnOf(id, id)), go];
      yield checkRequest(harness, at, messages);
      const body = [...parts(parseJson(await sentBody(harness, { messages })))];
      yield withBytes({
        at: `${at}, foreign seals`,
        expected: "left out",
        actual: body.includes(secret) ? "sent" : "left out",
      });
    }
  },
};
