import type { AdapterSubject } from "@fullstop/conformance";
import { conform } from "@fullstop/conformance/vitest";
import { openaiResponsesWire } from "@fullstop/conformance/wires/openai-responses";
import { openai } from "@fullstop/provider-openai";
import { responsesSocket } from "@fullstop/provider-openai-websocket";
import { places } from "@tooling/test/sample";
import { afterAll } from "vitest";
import { bridge } from "./bridge.ts";

type Fetch = typeof globalThis.fetch;
const endpoints: Fetch[] = [];
const server = await bridge((index) => endpoints[Number(index)] as Fetch);
const client = responsesSocket({ baseURL: server.url, apiKey: "key" });
afterAll(async () => {
  client.close();
  await server.close();
});

const { whole: _, fixtures: _fixtures, ...wire } = openaiResponsesWire;
const subject: AdapterSubject = {
  wire: { ...wire, name: `${wire.name} over WebSocket` },
  adapter: ({ fetch = globalThis.fetch }) => {
    if (!endpoints.includes(fetch)) endpoints.push(fetch);
    return openai("gpt-5.5", {
      client,
      headers: { "x-endpoint": String(endpoints.indexOf(fetch)) },
    });
  },
};

/** The decoder is that of HTTP. These ask what a socket may break: where a reply begins and ends. */
const clauses = [
  "stop.words",
  "stop.cut",
  "stop.abort",
  "stop.cap",
  "call.lossy-input",
  "call.none-lost",
  "wire.strangers",
  "wire.doubled-terminal",
  "wire.malformed-frame",
  "error.status",
  "error.retry-after",
  "request.valid",
  "request.results",
  "request.withheld",
];
for (const only of clauses) conform(subject, { only, sample: places(6), sockets: false });
