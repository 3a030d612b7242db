import {
  type Adapter,
  type ProviderError,
  readTurn,
  type Turn,
  type TurnRequest,
} from "@fullstop/core";
import {
  type FakeServer,
  jsonResponse,
  type Reply,
  type SentRequest,
} from "@tooling/test/fake-server";
import { afterEach, describe, expect, test, vi } from "vitest";

export const request = { messages: [{ role: "user", content: "Go." }] } as const;
export const errorOf = (turn: Turn): ProviderError | undefined =>
  "error" in turn ? turn.error : undefined;

/** Sends a request to a new server, and returns the body that it gets. */
export const sender =
  <Options>(serve: () => FakeServer & { adapter(options?: Options, model?: string): Adapter }) =>
  async (
    sent: Partial<TurnRequest>,
    options?: Options,
    model?: string,
  ): Promise<SentRequest["body"]> => {
    const server = serve();
    await readTurn(server.adapter(options, model), { ...request, ...sent });
    return server.requests[0]?.body;
  };

interface SdkTests<Event> {
  /** A reply with a call. */
  readonly called: readonly Event[];
  /** The address of the API. */
  readonly url: string;
  serve(...replies: readonly Reply<Event>[]): FakeServer & { adapter(): Adapter };
  /** An adapter without a key. */
  adapter(fetch: typeof globalThis.fetch): Adapter;
}

/** What the SDK must not do by itself, whatever protocol it speaks. */
export function describeSdk<Event>({ called, url, serve, adapter }: SdkTests<Event>): void {
  afterEach(() => vi.unstubAllEnvs());
  describe("the SDK", () => {
    test("the environment does not redirect requests", async () => {
      vi.stubEnv("OPENAI_BASE_URL", "https://elsewhere.example/v1");
      const server = serve(called);
      expect((await readTurn(server.adapter(), request)).stopReason).toBe("tool-use");
      expect(server.requests[0]?.url).toBe(url);
      expect(server.requests[0]?.headers.get("authorization")).toBe("Bearer key");
    });

    test("OPENAI_LOG prints nothing", async () => {
      vi.stubEnv("OPENAI_LOG", "debug");
      const noise = ["debug", "info", "warn", "error", "log"].map((level) =>
        vi.spyOn(console, level as "log").mockImplementation(() => undefined),
      );
      await readTurn(serve(called).adapter(), request);
      expect(noise.flatMap((spy) => spy.mock.calls)).toEqual([]);
      vi.restoreAllMocks();
    });

    test("the client is created at the first request, and missing credentials are an auth error of the turn", async () => {
      vi.stubEnv("OPENAI_API_KEY", undefined);
      const turn = await readTurn(adapter(serve().fetch), request);
      expect(errorOf(turn)?.kind).toBe("auth");
    });

    test.for([500, 503])("nothing is retried after the status %i", async (status) => {
      const failure = () => jsonResponse({ error: { message: "Boom" } }, { status });
      const server = serve(failure, called);
      const turn = await readTurn(server.adapter(), request);
      expect([turn.stopReason, server.requests.length]).toEqual(["error", 1]);
    });
  });
}
