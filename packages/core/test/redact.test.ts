import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { isProviderError, redactThrown } from "../src/adapter/index.ts";
import { ProviderError } from "../src/index.ts";

const key = "sk-ant-0123456789";
const cleaned = (thrown: unknown, ...secrets: readonly (string | RegExp)[]): unknown =>
  redactThrown(thrown, [key, ...secrets]);

describe("a thrown value", () => {
  test("stays the same object if it contains no secret", () => {
    const thrown = new TypeError("fetch failed", {
      cause: Object.assign(new Error("connect"), { code: "ECONNREFUSED", port: 80 }),
    });
    for (const one of [thrown, "a text", 7, null, undefined, { a: [1] }])
      expect(cleaned(one)).toBe(one);
  });

  test("keeps its name, causes, data and headers without the secret", () => {
    const thrown = Object.assign(new TypeError(`bad ${key}`, { cause: new Error(`${key} deep`) }), {
      status: 401,
      error: { message: key, [key]: [key] },
      headers: new Headers({ "retry-after": "7", "x-key": key }),
    });
    const copy = cleaned(thrown) as typeof thrown;
    expect(copy).toMatchObject({
      name: "TypeError",
      message: "bad [redacted]",
      cause: { message: "[redacted] deep" },
      status: 401,
    });
    expect(copy.error).toEqual({ message: "[redacted]", "[redacted]": ["[redacted]"] });
    expect([copy.headers.get("retry-after"), copy.headers.get("x-key")]).toEqual([
      "7",
      "[redacted]",
    ]);
    expect(thrown.message).toBe(`bad ${key}`);
  });

  test("loses the password in any URL", () => {
    const url = "postgres://app:p@ss-1@db.example:5432/shop";
    const thrown = new Error(`connect ${url}`, { cause: { target: url, port: "http://h:80/a@b" } });
    const shown = "postgres://app:[redacted]@db.example:5432/shop";
    const copy = cleaned(thrown) as Error;
    expect(copy.message).toBe(`connect ${shown}`);
    expect(copy.cause).toEqual({ target: shown, port: "http://h:80/a@b" });
    expect(cleaned(copy)).toBe(copy);
  });

  test("stays an error of a provider", () => {
    const copy = cleaned(
      new ProviderError(`bad ${key}`, {
        kind: "auth",
        status: 401,
        code: key,
        requestId: key,
        retryAfterMs: 5,
      }),
    );
    expect(isProviderError(copy)).toBe(true);
    expect(copy).toMatchObject({
      kind: "auth",
      status: 401,
      code: "[redacted]",
      requestId: "[redacted]",
      retryAfterMs: 5,
    });
  });

  test("loses parts that cannot be searched", () => {
    class Sealed {
      readonly #key = key;
      get key(): string {
        return this.#key;
      }
    }
    const request = new Request("http://acme.test", { headers: { authorization: key } });
    const thrown = Object.assign(new Error("It failed."), {
      request,
      sealed: new Sealed(),
      made: () => key,
      note: "kept",
    });
    const copy = cleaned(thrown);
    expect(copy).toMatchObject({ message: "It failed.", note: "kept" });
    expect(inspect(copy, { depth: 9, showHidden: true })).not.toContain(key);
  });

  test.each([
    ["its own cause", Object.assign(new Error(key), { self: undefined as unknown })],
    [
      "deep",
      Array.from({ length: 5000 }).reduce<Error>(
        (cause) => new Error("x", { cause }),
        new Error(key),
      ),
    ],
  ])("is copied where it is %s", (_, thrown) => {
    if ("self" in thrown) thrown.self = thrown;
    expect(inspect(cleaned(thrown), { depth: 9000 })).not.toContain(key);
  });

  test("is replaced if it cannot be read", () => {
    const hostile = new Proxy(new Error(key), {
      ownKeys: () => {
        throw new Error("no");
      },
    });
    expect(cleaned(hostile)).toMatchObject({ message: "The thrown value cannot be read." });
  });
});

describe("a secret", () => {
  test.each([
    ["whole", `Key ${key}.`, "Key [redacted]."],
    ["twice", `${key}${key} ${key}`, "[redacted] [redacted]"],
    ["its beginning", "Key sk-ant-0123…", "Key [redacted]…"],
    [
      "its middle, as in what JSON.parse says",
      `Unexpected token 's', ..."key": nt-0123456"... is not valid JSON`,
      undefined,
    ],
    ["less than it takes", "Keys begin with sk-ant-", "Keys begin with sk-ant-"],
  ])("is taken out: %s", (_, text, expected) => {
    const shown = cleaned(text);
    if (expected !== undefined) expect(shown).toBe(expected);
    expect(shown).not.toContain("0123");
  });

  test("is removed in the notations of JSON and URLs, and if a line break splits it", () => {
    const odd = 'pass"word/of\nseven+of+nine';
    for (const form of [odd, JSON.stringify(odd), encodeURIComponent(odd), "seven+of+nine"]) {
      expect(redactThrown(`x ${form}`, [odd])).not.toMatch(/seven|nine|word/);
    }
  });

  test("that is short is removed unless it consists of letters", () => {
    expect(redactThrown("none of it, sk-1234", ["none", "sk-1234", ""])).toBe(
      "none of it, [redacted]",
    );
  });

  test("may be a regular expression", () => {
    expect(redactThrown("token gho_16C7e42F", [/gho_\w+/g])).toBe("token [redacted]");
  });
});
