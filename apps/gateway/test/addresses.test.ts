import { createGateway, startServer } from "@fullstop/gateway";
import { describe, expect, test } from "vitest";
import { openRaw, rawRequest } from "./raw.ts";
import { openFront, openUpstream } from "./servers.ts";

describe("a `location`", () => {
  test("of a finished reply that is not a redirect takes nothing away", async () => {
    const location = "https://elsewhere.example/v1/batches/1";
    await using upstream = await openUpstream((response) =>
      response.writeHead(201, { location }).end("{}"),
    );
    await using gateway = await openFront(upstream);
    const reply = await fetch(`${gateway.url}/up/v1/batches`, { method: "POST", body: "{}" });
    expect([reply.status, await reply.text()]).toEqual([201, "{}"]);
    expect(reply.headers.get("location")).toBe(location);
  });
  test.each(["http://[", "data:text/plain,x"])(
    "%s of a redirect is refused, and no option is named that cannot help",
    async (location) => {
      await using upstream = await openUpstream((response) =>
        response.writeHead(307, { location }).end(),
      );
      await using gateway = await openFront(upstream);
      const reply = await fetch(`${gateway.url}/up/v1/models`, { redirect: "manual" });
      expect(reply.status).toBe(502);
      expect(await reply.text()).not.toMatch(/--to|null|"undefined/);
    },
  );
});

test.each(["Gateway.Lan", "gateway.lan:4141"])(
  "the name %s of `--allow-host` allows the header that the error shows",
  async (name) => {
    const handler = createGateway({ routes: { up: { url: "http://127.0.0.1:9" } } });
    const gateway = await startServer({ handler, port: 0, allowedHosts: [name] });
    const line = "GET /healthz HTTP/1.1";
    const headers = ["connection: close", "host: gateway.lan:4141"];
    const request = rawRequest(line, headers).replace("host: localhost\r\n", "");
    using raw = await openRaw(gateway.port, request);
    await expect.poll(raw.end).toBeDefined();
    await gateway.stop(0);
    expect(raw.text()).toMatch(/^HTTP\/1\.1 200 /);
  },
);
