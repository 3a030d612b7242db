import { type ProviderError, readTurn, type Turn } from "@fullstop/core";
import { describe, expect, test } from "vitest";
import { bytes, call, reply } from "./chunks.ts";
import { errorResponse, serve } from "./server.ts";

const request = { messages: [{ role: "user", content: "Go." }] } as const;
const errorOf = (turn: Turn): ProviderError | undefined =>
  "error" in turn ? turn.error : undefined;

test.each(['{"message":"upstream died"}', "{}", "Bad gateway"])(
  "an event that is named `error` is an error, whatever its data is: %s",
  async (data) => {
    const called = bytes(reply("STOP", call("read", { path: "a" })));
    const turn = await readTurn(
      serve(`${called}event: error\ndata: ${data}\n\n`).adapter(),
      request,
    );
    expect([turn.stopReason, turn.calls.length]).toEqual(["error", 0]);
  },
);

describe("errors by status", () => {
  test.each([
    { status: 400, code: "INVALID_ARGUMENT", kind: "invalid-request" },
    {
      status: 400,
      code: "INVALID_ARGUMENT",
      kind: "context-window",
      message: "The input token count (9) exceeds the maximum number of tokens allowed (5).",
    },
    { status: 400, code: "FAILED_PRECONDITION", kind: "invalid-request" },
    { status: 401, code: "UNAUTHENTICATED", kind: "auth" },
    { status: 403, code: "PERMISSION_DENIED", kind: "auth" },
    { status: 404, code: "NOT_FOUND", kind: "invalid-request" },
    { status: 429, code: "RESOURCE_EXHAUSTED", kind: "rate-limit" },
    { status: 499, code: "CANCELLED", kind: "cancelled" },
    { status: 500, code: "INTERNAL", kind: "server" },
    { status: 503, code: "UNAVAILABLE", kind: "overloaded" },
  ])("HTTP $status $code is $kind", async ({ status, code, kind, message = "No." }) => {
    for (const stream of [true, false]) {
      const turn = await readTurn(
        serve(() => errorResponse(status, { status: code, message })).adapter({ stream }),
        request,
      );
      expect(errorOf(turn)).toMatchObject({ kind, status, code });
      expect(errorOf(turn)?.message).toContain(`(${status}): ${message}`);
    }
  });

  test("a reason in the details is more specific than the status", async () => {
    const details = [
      { "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason: "API_KEY_INVALID" },
    ];
    const failing = () =>
      errorResponse(400, { status: "INVALID_ARGUMENT", message: "API key not valid.", details });
    expect(errorOf(await readTurn(serve(failing).adapter(), request))).toMatchObject({
      kind: "auth",
      code: "API_KEY_INVALID",
    });
  });

  test("the waiting time is read from the header, else from the details", async () => {
    const error = {
      status: "RESOURCE_EXHAUSTED",
      message: "Later.",
      details: [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "38.2s" }],
    };
    const server = serve(
      () => errorResponse(429, error),
      () => errorResponse(429, error, { "retry-after": "7" }),
    );
    expect(errorOf(await readTurn(server.adapter(), request))?.retryAfterMs).toBe(38_200);
    expect(errorOf(await readTurn(server.adapter(), request))?.retryAfterMs).toBe(7000);
  });

  test("an error in a list is read too", async () => {
    const listed = () =>
      Response.json([{ error: { code: 429, status: "RESOURCE_EXHAUSTED", message: "Later." } }], {
        status: 429,
      });
    expect(errorOf(await readTurn(serve(listed).adapter(), request))).toMatchObject({
      code: "RESOURCE_EXHAUSTED",
      message: expect.stringContaining("takes no more requests now (429): Later."),
    });
  });

  test("a page instead of a reply is interrupted", async () => {
    const page = () =>
      new Response("<html>Sign in</html>", { headers: { "content-type": "text/html" } });
    expect(errorOf(await readTurn(serve(page).adapter(), request))?.kind).toBe("malformed-reply");
  });
});
