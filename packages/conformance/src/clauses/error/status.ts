import { type ErrorKind, errorRules, type Turn } from "@fullstop/core";
import { utf8 } from "../../harness/bytes.ts";
import type { Clause } from "../../clause.ts";
import { errorKindOf, outline } from "../../harness/expect.ts";
import { withBytes, type Harness } from "../../harness/harness.ts";

const kinds: Readonly<Record<number, readonly ErrorKind[]>> = {
  400: ["invalid-request"],
  401: ["auth"],
  403: ["auth"],
  404: ["invalid-request"],
  429: ["rate-limit"],
  500: ["server"],
  502: ["server"],
  503: ["overloaded", "server"],
  529: ["overloaded", "server"],
};
const bodies: Readonly<Record<string, { readonly type: string; readonly text: string }>> = {
  "a JSON body": { type: "application/json", text: '{"error":{"message":"No such luck."}}' },
  "a text body": { type: "text/plain", text: "No such luck." },
  "a page": { type: "text/html", text: "<h1>No such luck.</h1>" },
  "an empty body": { type: "text/plain", text: "" },
};

const told = (turn: Turn, kind?: ErrorKind): string => {
  const { status, message } = "error" in turn ? turn.error : {};
  return `${outline(turn)}, ${errorKindOf(turn, kind)}, status ${status}${message === "" ? ", no message" : ""}`;
};
const expected = (status: number, allowed: readonly ErrorKind[], turn: Turn): string => {
  const kind = allowed.find((one) => errorKindOf(turn, one) === one) ?? allowed[0] ?? "server";
  return `${errorRules[kind].stop}, runs nothing, ${kind}, status ${"error" in turn ? status : undefined}`;
};

async function* plain(
  harness: Harness,
): AsyncGenerator<{ at: string; expected: string; actual: string }> {
  for (const [status, allowed] of Object.entries(kinds)) {
    for (const [name, body] of Object.entries(bodies)) {
      const turn = await harness.ask({
        status: Number(status),
        headers: { "content-type": body.type },
        chunks: [utf8(body.text)],
      });
      yield {
        at: `status ${status} with ${name}`,
        expected: expected(Number(status), allowed, turn),
        actual: told(turn),
      };
    }
  }
}

export const status: Clause = {
  id: "error.status",
  rule: "An error status ends as a turn with a typed error and a sentence, whatever the body is.",
  level: "must",
  because: "pi#5793: one catch-all error, no retry, no diagnostics, for many causes",
  async *check(harness) {
    yield* plain(harness);
    for (const { status, headers, body, kind } of harness.wire.failures ?? []) {
      const turn = await harness.ask({
        status,
        headers: { "content-type": "application/json", ...headers },
        chunks: [utf8(body)],
      });
      yield withBytes(
        {
          at: `status ${status} with ${body}`,
          expected: expected(status, [kind], turn),
          actual: told(turn, kind),
        },
        utf8(body),
      );
    }
  },
};
