import { type Adapter, readTurn, type TurnRequest } from "@fullstop/core";
import { type EventBatches, sdkAdapter } from "@fullstop/core/adapter";
import { expect, test } from "vitest";
import { type AcmeEvent, acmeSpec } from "./acme.ts";
import { stop, text } from "./reply.ts";

const request: TurnRequest = { messages: [{ role: "user", content: "Go." }] };
async function* reply(): EventBatches<never> {
  yield [text("Hello."), stop("done", false)] as unknown as readonly never[];
}

interface Client {
  send(): EventBatches<never>;
}
/** An SDK that loads when the test says so, and what was done with it. */
function createSdk(given?: Client): {
  readonly adapter: Adapter;
  readonly done: string[];
  loaded(): void;
  failed(cause: unknown): void;
} {
  const done: string[] = [];
  let next = Promise.withResolvers<void>();
  const adapter = sdkAdapter<Client, string, AcmeEvent>(
    { client: given },
    {
      ...acmeSpec,
      sdk: {
        name: "@acme/sdk",
        load: () => {
          done.push("load");
          next = Promise.withResolvers();
          return next.promise.then(() => "acme");
        },
        create: (sdk) => {
          done.push(`create ${sdk}`);
          const send = (): EventBatches<never> => {
            done.push("send");
            return reply();
          };
          return { send };
        },
      },
      endpoint: () => ({}),
      send: async (client) => client.send(),
    },
  );
  return {
    adapter,
    done,
    loaded: () => next.resolve(),
    failed: (cause) => next.reject(cause),
  };
}

test("the SDK begins to load with the adapter, and all requests wait for one client", async () => {
  const { adapter, done, loaded } = createSdk();
  expect(done).toEqual(["load"]);
  const turns = [readTurn(adapter, request), readTurn(adapter, request)];
  loaded();
  expect((await Promise.all(turns)).map((turn) => turn.text)).toEqual(["Hello.", "Hello."]);
  await readTurn(adapter, request);
  expect(done).toEqual(["load", "create acme", "send", "send", "send"]);
});

test("the caller's client is used at once, and no SDK is loaded", async () => {
  const own: Client = { send: reply };
  const { adapter, done } = createSdk(own);
  expect((await readTurn(adapter, request)).text).toBe("Hello.");
  expect(done).toEqual([]);
});

test("an SDK that cannot be loaded fails the turn of a request, and the next request tries again", async () => {
  const { adapter, done, loaded, failed } = createSdk();
  const cause = new Error("Cannot find package '@acme/sdk'");
  failed(cause);
  await new Promise((resolve) => setImmediate(resolve));
  const turn = readTurn(adapter, request);
  failed(cause);
  expect(await turn).toMatchObject({
    stopReason: "error",
    error: {
      kind: "invalid-request",
      message:
        "`@acme/sdk` cannot be loaded (Cannot find package '@acme/sdk'). If it is not installed, run `npm install @acme/sdk`.",
      cause,
    },
    calls: [],
  });
  const again = readTurn(adapter, request);
  loaded();
  expect((await again).text).toBe("Hello.");
  expect(done).toEqual(["load", "load", "load", "create acme", "send"]);
});

test("a request that was aborted while the SDK was loading is not sent", async () => {
  const { adapter, done, loaded } = createSdk();
  const abort = new AbortController();
  const turn = readTurn(adapter, request, { signal: abort.signal });
  abort.abort();
  expect((await turn).stopReason).toBe("aborted");
  const opened = adapter.open(request, AbortSignal.abort());
  loaded();
  await expect(opened).rejects.toThrow(/abort/);
  expect(done).toEqual(["load"]);
});
