import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type GatewayField, gatewaysText } from "@tooling/docs/gateways";
import { afterAll, expect, it } from "vitest";
import type { FieldGateway } from "../src/gateways/gateway.ts";
import { gateways } from "../src/gateways.ts";
import { measureGateway } from "../src/measure-gateway.ts";

const folder = mkdtempSync(join(tmpdir(), "field-gateway-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** A gateway that says `stop` for `length`. */
const program = `
import { createServer } from "node:http";
const [port, upstream] = process.argv.slice(2);
createServer(async (request, response) => {
  let body = "";
  for await (const piece of request) body += piece;
  if (body === "") return response.end("ready");
  const headers = { "content-type": "application/json" };
  const reply = await fetch(upstream + request.url, { method: "POST", body, headers });
  const text = (await reply.text()).replaceAll('"finish_reason":"length"', '"finish_reason":"stop"');
  response.writeHead(reply.status, { "content-type": reply.headers.get("content-type") });
  response.end(text);
}).listen(Number(port), "127.0.0.1");
`;
const file = join(folder, "gateway.mjs");
writeFileSync(file, program);

const small: FieldGateway = {
  name: "small",
  title: "Small gateway",
  version: "1.2.3",
  note: "It is a control.",
  prepare: async () => [
    {
      options: ["--front=chat=http://127.0.0.1:{port}/v1", "--reply=openai-chat/one-call-length"],
      start: [process.execPath, file, "{port}", "{upstream}"],
    },
  ],
};

it("a gateway is measured, and the report says what it relabels", async () => {
  const { measured, clauses, suite } = await measureGateway(small);
  expect(measured.routes).toMatchObject([
    {
      name: "openai-chat → openai-chat",
      counts: { replies: 4, relabelled: 4, unsafe: 4, lost: 0, merged: 0, broken: 0, kept: 0 },
      findings: { "relabel.limit": { status: "broken", checks: 4, failed: 4 } },
    },
  ]);
  const field: GatewayField = { suite, clauses, gateways: [measured] };
  const text = gatewaysText(field);
  expect(text).toContain(
    "| Small gateway 1.2.3 (newest: not known), openai-chat → openai-chat | 4 | 4 | 4 | 0 |",
  );
  expect(text).toContain(
    '- `relabel.limit`, a call runs that must not: A reply that was cut at a limit does not leave as finished: not kept in openai-chat → openai-chat (4). For example openai-chat → openai-chat, "one call, length": expected `not finished: upstream sent length ("length"), runs nothing, 1 of its calls withheld`; in front `tool-use ("stop"), runs read',
  );
  expect(text).toContain("Version 1.2.3");
  expect(text).toContain("It is a control.");
});

it("a gateway that cannot be asked is an error with its reason", async () => {
  const ends: FieldGateway = {
    ...small,
    prepare: async () => [
      {
        options: ["--front=chat=http://127.0.0.1:{port}/v1"],
        start: [process.execPath, "--eval", "console.log('no licence')"],
      },
    ],
  };
  await expect(measureGateway(ends)).rejects.toThrow("It printed: no licence");
});

it("each gateway of the report has a name of its own", () => {
  expect(new Set(gateways.map(({ name }) => name)).size).toBe(gateways.length);
});
