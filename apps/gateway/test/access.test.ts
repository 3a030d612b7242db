import {
  ConfigurationError,
  createAdmin,
  createGateway,
  type ServerOptions,
  startServer,
} from "@fullstop/gateway";
import { describe, expect, test } from "vitest";
import { ask, cutReply, key, replies, stream } from "./replies.ts";
import { openUpstream, type Upstream } from "./servers.ts";

const { finished } = replies.anthropic;
const token = "a-token-of-this-gateway";
const json = { "content-type": "application/json", "x-api-key": key };

async function openServer(upstream: Upstream, options: Partial<ServerOptions> = {}) {
  const handler = createGateway({
    routes: { up: { url: upstream.url } },
    metrics: async () => new Response("figures"),
    hasAdmin: options.handler !== undefined,
  });
  const server = await startServer({ port: 0, ...options, handler });
  return {
    url: `http://127.0.0.1:${server.port}`,
    [Symbol.asyncDispose]: async () => void (await server.stop(0)),
  };
}

describe("a server with a token", () => {
  test.each([
    ["without it", {}],
    ["with another one", { "x-fullstop-token": "another-token-of-it" }],
    ["with a part of it", { "x-fullstop-token": token.slice(0, -1) }],
    ["with it as the key of the provider", { authorization: `Bearer ${token}` }],
  ])("refuses a request %s", async (_, headers) => {
    await using upstream = await openUpstream(stream(finished));
    await using server = await openServer(upstream, { token });
    for (const path of ["/up/v1/messages", "/v1/models", "/nowhere"]) {
      const refused = await ask(server.url, { path, headers: { ...json, ...headers } });
      expect([refused.status, refused.headers.get("x-should-retry")]).toEqual([401, "false"]);
      expect(await refused.text()).not.toContain(token);
    }
    expect((await fetch(`${server.url}/metrics`, { headers })).status).toBe(401);
    expect(upstream.received).toHaveLength(0);
  });
  test.each([
    ["x-fullstop-token", token],
    ["proxy-authorization", `Bearer ${token}`],
  ])("answers one with it in `%s`, and sends it to no upstream", async (name, value) => {
    await using upstream = await openUpstream(stream(cutReply));
    await using server = await openServer(upstream, { token });
    const reply = await ask(server.url, { headers: { ...json, [name]: value } });
    expect([reply.status, (await reply.text()).includes("tool_use")]).toEqual([200, false]);
    expect(upstream.received[0]?.headers["x-api-key"]).toBe(key);
    expect(JSON.stringify(upstream.received)).not.toContain(token);
  });
  test("shows to everyone that it lives and is ready", async () => {
    await using upstream = await openUpstream(stream(finished));
    await using server = await openServer(upstream, { token });
    for (const path of ["/healthz", "/readyz"])
      expect((await fetch(server.url + path)).status).toBe(200);
  });
  test.each(["short", "with a space inside of it", ""])("does not start with %j", async (text) => {
    await using upstream = await openUpstream(stream(finished));
    await expect(openServer(upstream, { token: text })).rejects.toThrow(ConfigurationError);
  });
});

test("figures and readiness may have a port of their own", async () => {
  await using upstream = await openUpstream(stream(finished));
  const handler = createAdmin({ metrics: async () => new Response("figures") });
  await using server = await openServer(upstream, { handler });
  const admin = await startServer({ handler, port: 0 });
  const status = async (address: string): Promise<number> => (await fetch(address)).status;
  const paths = ["/healthz", "/readyz", "/metrics", "/up/v1/models"];
  const adminUrl = `http://127.0.0.1:${admin.port}`;
  expect(await Promise.all(paths.map((path) => status(server.url + path)))).toEqual([
    200, 404, 404, 200,
  ]);
  expect(await Promise.all(paths.map((path) => status(adminUrl + path)))).toEqual([
    200, 200, 200, 404,
  ]);
  await admin.stop(0);
});
