import { describe, expect, test } from "vitest";
import { type KnownEndpoint, type TurnEvent, withEndpoint } from "../src/adapter/index.ts";
import { type Adapter, readTurn, type Turn } from "../src/index.ts";
import { type AdapterOptions, acme } from "./acme.ts";
import { text } from "./reply.ts";
import { respond } from "./stream.ts";

const key = "sk-ant-0123456789";
const known = (rest: KnownEndpoint = {}): KnownEndpoint => ({
  apiKey: key,
  baseURL: "http://acme.test:81",
  ...rest,
});
const ask = (options: AdapterOptions, endpoint: KnownEndpoint = known()): Promise<Turn> =>
  readTurn(
    withEndpoint(acme(options), () => endpoint),
    { messages: [{ role: "user", content: "Go." }] },
  );
const sends = (...events: readonly unknown[]): AdapterOptions => ({
  fetch: async () => respond(events.map((event) => `data: ${JSON.stringify(event)}\n\n`)),
});
const throws = (thrown: unknown): Partial<Adapter> => ({
  open: async () => {
    throw thrown;
  },
});
const coded = (code: string, more: object = {}): Error =>
  Object.assign(new Error("x"), { code, ...more });

test.each<[number, string, string]>([
  [
    401,
    "No such key.",
    "Acme at acme.test:81 refused the key (401): No such key. Check `apiKey` or the environment variable ACME_KEY.",
  ],
  [
    403,
    "Not for you",
    "Acme at acme.test:81 does not allow this request with this key (403): Not for you. Check the rights of the key.",
  ],
  [
    404,
    "model: acme-9",
    "Acme at acme.test:81 does not know the model one or the address (404): model: acme-9. Check the name of the model, and `baseURL` if there is one.",
  ],
  [400, "No.", "Acme at acme.test:81 refused the request for one (400): No."],
  [
    429,
    "Later.",
    "Acme at acme.test:81 takes no more requests now (429): Later. Wait, or ask for a higher limit.",
  ],
  [
    529,
    "Later.",
    "Acme at acme.test:81 is overloaded (529): Later. Try again later, or use another model.",
  ],
  [500, "Oh.", "Acme at acme.test:81 failed (500): Oh."],
])("an error status %i names who answered, and what to do", async (status, message, expected) => {
  const refused = Object.assign(new Error(`${status} ${message}`), { status });
  const turn = await ask(throws(refused), known({ name: "Acme", keyVariable: "ACME_KEY" }));
  expect(turn).toMatchObject({ error: { status, message: expected } });
});

test("a port that `fetch` blocks is named, over a socket", async () => {
  const fetched = await fetch("http://127.0.0.1:6000").catch((thrown: unknown) => thrown);
  const turn = await ask(throws(fetched), known({ baseURL: "http://127.0.0.1:6000/v1" }));
  expect(turn).toMatchObject({
    error: {
      message: expect.stringMatching(/^`fetch` does not connect to port 6000, .* another port/),
    },
  });
});

describe("an adapter that knows its endpoint", () => {
  test.each([
    ["https://acme.test/v1", "acme.test", 443],
    ["http://acme.test", "acme.test", 80],
    ["wss://acme.test:8443", "acme.test", 8443],
    ["http://[::1]:81", "::1", 81],
  ])("names the host of %s", (baseURL, address, port) => {
    expect(withEndpoint(acme({}), () => ({ baseURL })).server?.()).toEqual({ address, port });
  });
  test.each([undefined, "no URL", "file:///socket"])("names no host of %s", (baseURL) => {
    expect(withEndpoint(acme({}), () => ({ baseURL })).server?.()).toBeUndefined();
  });
  test("asks a client for its own address", () => {
    const endpoint = { ...known(), client: { baseURL: "https://own.test" } };
    const { server } = withEndpoint(acme({}), () => endpoint);
    expect(server?.()).toEqual({ address: "own.test", port: 443 });
  });
  test("reads a reply as before", async () => {
    expect(await ask(sends(text("Hi."), { type: "stop", native: "done" }))).toMatchObject({
      stopReason: "stop",
      text: "Hi.",
    });
  });

  test("shows no secret of an error inside the reply", async () => {
    const error: TurnEvent = { type: "error", native: key, message: `Wrong: ${key}` };
    expect(await ask(sends(error))).toMatchObject({
      error: { message: "Wrong: [redacted]", code: "[redacted]" },
    });
    const turn = await ask(sends({ type: "stop", native: key, detail: { said: [key] } }));
    expect(turn).toMatchObject({
      stopReason: "unknown",
      native: { stop: "[redacted]", detail: { said: ["[redacted]"] } },
    });
    expect(JSON.stringify(await ask(sends(key)))).not.toContain(key);
  });

  test("shows no secret of what its decoder throws, at an event or at the end", async () => {
    const decoder: Adapter["decoder"] = (emit) =>
      Object.assign((native: unknown) => emit(native as TurnEvent), {
        settle: () => {
          throw new Error(`gap in ${key}`);
        },
      });
    const turn = await ask({ ...sends({ type: "stop", native: "done" }), decoder });
    expect(turn).toMatchObject({ stopReason: "interrupted", error: { kind: "malformed-reply" } });
    expect(JSON.stringify(turn)).toContain("gap in [redacted]");
  });

  test("passes on what a listener throws, unchanged", async () => {
    const theirs = new Error(`theirs: ${key}`);
    const adapter = withEndpoint(acme(sends(text("Hi."))), known);
    const onPreview = (): never => {
      throw theirs;
    };
    await expect(
      readTurn(adapter, { messages: [{ role: "user", content: "Go." }] }, { onPreview }),
    ).rejects.toBe(theirs);
  });

  test("hides a secret that it learns later", async () => {
    const secrets: string[] = [];
    const open = async (): Promise<never> => {
      secrets.push("token-0123456789");
      throw new Error("bad token-0123456789");
    };
    expect(await ask({ open }, { secrets })).toMatchObject({
      error: { message: "bad [redacted]" },
    });
  });

  test("shows headers that are not secret", async () => {
    const headers = { "anthropic-beta": "interleaved-thinking", "x-gateway-key": "gateway-0123" };
    const turn = await ask(
      throws(new Error("interleaved-thinking is not for gateway-0123")),
      known({ headers }),
    );
    expect(turn).toMatchObject({
      error: { message: "interleaved-thinking is not for [redacted]" },
    });
  });
});

describe("no connection", () => {
  test.each([
    [
      "the endpoint's host",
      coded("ECONNREFUSED", { address: "10.0.0.1", port: 81 }),
      known(),
      "No connection to acme.test:81: it refused",
    ],
    [
      "the socket's address",
      coded("ECONNREFUSED", { address: "10.0.0.1", port: 81 }),
      {},
      "No connection to 10.0.0.1:81: it refused",
    ],
    [
      "an address of six parts",
      coded("EHOSTUNREACH", { address: "::1", port: 81 }),
      {},
      "No connection to [::1]:81: the network",
    ],
    [
      "the first of several",
      coded("ECONNREFUSED", { errors: [coded("ECONNREFUSED", { address: "::1", port: 81 })] }),
      {},
      "to [::1]:81: it",
    ],
    [
      "a name",
      coded("ENOTFOUND", { hostname: "acme.test" }),
      {},
      "No connection to acme.test: no host of this name was found (ENOTFOUND).",
    ],
    [
      "nothing that is known",
      coded("CERT_HAS_EXPIRED"),
      {},
      "No connection to the provider: its certificate is not trusted",
    ],
    [
      "what an SDK wraps",
      new Error("Connection error.", {
        cause: new TypeError("fetch failed", { cause: coded("ENOTFOUND") }),
      }),
      known(),
      "acme.test:81",
    ],
  ] as const)("names %s", async (...[, thrown, endpoint, said]) => {
    const turn = await ask(throws(thrown), endpoint);
    expect(turn).toMatchObject({
      stopReason: "interrupted",
      error: { kind: "network", message: expect.stringContaining(said) },
    });
  });

  test("is not reported if there was a status", async () => {
    expect(await ask(throws(coded("ECONNREFUSED", { status: 502 })))).toMatchObject({
      error: { kind: "server", status: 502 },
    });
  });
});
