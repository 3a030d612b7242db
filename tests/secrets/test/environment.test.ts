import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BedrockRuntimeClient } from "@aws-sdk/client-bedrock-runtime";
import type { Adapter } from "@fullstop/core";
import { bedrock } from "@fullstop/provider-bedrock";
import { ollama } from "@fullstop/provider-ollama";
import { NodeHttpHandler } from "@smithy/node-http-handler";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { expectNoSecret, seenOf } from "./seen.ts";
import { failing, type Loopback, serve } from "./server.ts";
import { findLeaks } from "./shown.ts";
import { userSecret } from "./situations.ts";

/** Keys that the adapter does not get as an option: it or the vendor's SDK finds them. */

const model = "eu.anthropic.claude-sonnet-5-5-v1:0";
const region = "eu-central-1";
let folder: string;
let runs = 0;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fullstop-environment-"));
});
afterEach(() => vi.unstubAllEnvs());
afterAll(() => rm(folder, { recursive: true }));

/** No keys of this machine. */
function withoutKeys(): void {
  for (const name of Object.keys(process.env))
    if (/^(AWS|OLLAMA)_/.test(name)) vi.stubEnv(name, undefined);
  vi.stubEnv("AWS_EC2_METADATA_DISABLED", "true");
  vi.stubEnv("HOME", folder);
}

/** What a server repeats: the headers of the request, and the secret. */
const repeating = (headers: object): object => ({
  error: { message: `${JSON.stringify(headers)} ${userSecret}`, code: userSecret },
});

/** Answers each request with what it was, and keeps its headers. */
async function repeat(): Promise<Loopback & { readonly received: string[] }> {
  const received: string[] = [];
  const server = await serve((response, request) => {
    received.push(JSON.stringify(request.headers));
    failing(401, repeating(request.headers))(response, request);
  });
  return { ...server, received };
}

const others = {
  AWS_ACCESS_KEY_ID: "AKIAIOSFODNN7EXAMPLE",
  AWS_SECRET_ACCESS_KEY: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
  AWS_SESSION_TOKEN: "AQoDYXdzEJr1K7EXAMPLE",
};
const parts = Object.keys(others) as readonly (keyof typeof others)[];
/** How many of these texts contain the secret. */
const countLeaks = (texts: readonly string[]): number =>
  findLeaks(Object.fromEntries(texts.entries()), userSecret).length;
const inHeaders = (part: string): boolean => part !== "AWS_SECRET_ACCESS_KEY";

describe("Bedrock with credentials that the SDK finds", () => {
  const ask = async (adapter: (baseURL: string) => Adapter, isSent: boolean): Promise<void> => {
    await using server = await repeat();
    expectNoSecret(await seenOf(adapter(server.address), join(folder, `${runs++}`)), userSecret);
    expect(server.received.length).toBe(2);
    expect(countLeaks(server.received)).toBe(isSent ? 2 : 0);
  };

  test.each(parts)("does not show %s of the environment", async (part) => {
    withoutKeys();
    for (const [name, value] of Object.entries({ ...others, [part]: userSecret }))
      vi.stubEnv(name, value);
    await ask((baseURL) => bedrock(model, { region, baseURL }), inHeaders(part));
  });

  test.each(parts)("does not show %s of a profile", async (part) => {
    withoutKeys();
    const lines = Object.entries({ ...others, [part]: userSecret }).map(
      ([name, value]) => `${name.toLowerCase()} = ${value}\n`,
    );
    const path = join(folder, `${part}.credentials`);
    await writeFile(path, `[default]\n${lines.join("")}`);
    vi.stubEnv("AWS_SHARED_CREDENTIALS_FILE", path);
    await ask((baseURL) => bedrock(model, { region, baseURL }), inHeaders(part));
  });

  test.each(parts)("does not show %s that a function returns", async (part) => {
    withoutKeys();
    const keys = { ...others, [part]: userSecret };
    const credentials = async () => ({
      accessKeyId: keys.AWS_ACCESS_KEY_ID,
      secretAccessKey: keys.AWS_SECRET_ACCESS_KEY,
      sessionToken: keys.AWS_SESSION_TOKEN,
    });
    await ask((baseURL) => bedrock(model, { region, baseURL, credentials }), inHeaders(part));
  });

  test("does not show the keys of a client of the SDK", async () => {
    withoutKeys();
    const requestHandler = new NodeHttpHandler();
    const clientAt = (endpoint: string, more: object): Adapter =>
      bedrock(model, {
        client: new BedrockRuntimeClient({ region, endpoint, requestHandler, ...more }),
      });
    const credentials = { accessKeyId: "AKIAIOSFODNN7EXAMPLE", secretAccessKey: userSecret };
    const token = { token: { token: userSecret }, authSchemePreference: ["httpBearerAuth"] };
    await ask((endpoint) => clientAt(endpoint, { credentials }), false);
    await ask((endpoint) => clientAt(endpoint, token), true);
  });
});

describe("Ollama", () => {
  const received: string[] = [];
  const fetch = async (url: unknown, init?: RequestInit): Promise<Response> => {
    const headers = Object.fromEntries(new Headers(init?.headers));
    received.push(JSON.stringify([String(url), headers]));
    return Response.json(repeating(headers), { status: 401 });
  };
  const ask = async (adapter: Adapter): Promise<void> => {
    received.length = 0;
    expectNoSecret(await seenOf(adapter, join(folder, `${runs++}`)), userSecret);
    expect(countLeaks(received)).toBe(2);
  };

  test("does not show OLLAMA_API_KEY, which it sends to ollama.com", async () => {
    withoutKeys();
    vi.stubEnv("OLLAMA_API_KEY", userSecret);
    await ask(ollama("qwen3", { baseURL: "https://ollama.com", fetch }));
  });

  test("does not show a header, and not the password of OLLAMA_HOST", async () => {
    withoutKeys();
    await ask(ollama("qwen3", { headers: { "x-proxy-key": userSecret }, fetch }));
    vi.stubEnv("OLLAMA_HOST", `http://me:${encodeURIComponent(userSecret)}@127.0.0.1:1`);
    await ask(ollama("qwen3", { fetch }));
  });

  test("a key of ollama.com is not sent to another server", async () => {
    withoutKeys();
    vi.stubEnv("OLLAMA_API_KEY", userSecret);
    received.length = 0;
    await seenOf(ollama("qwen3", { fetch }), join(folder, `${runs++}`));
    expect([received.length, countLeaks(received)]).toEqual([2, 0]);
  });
});
