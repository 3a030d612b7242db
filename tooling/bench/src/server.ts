// The server of the bench, a separate process, so that its work does not count. Each `POST
// /<wire>/<workload>/…` gets that reply.
import { createServer } from "node:http";
import { Readable } from "node:stream";
import { stretch } from "./stretch.ts";
import { type WireName, wires } from "./wires/index.ts";
import { workloads } from "./workloads.ts";

const sliceBytes = 2 ** 14;
const frameType = (frame: string): string | undefined => /^\{"type":"([\w.]+)"/.exec(frame)?.[1];
const eventLine = (type: string | undefined): string =>
  type === undefined ? "" : `event: ${type}\n`;

function render(wire: string, name: string): readonly Buffer[] {
  const workload = workloads.find((one) => one.name === name);
  if (workload === undefined || !Object.hasOwn(wires, wire)) return [];
  const frames = stretch(wires[wire as WireName].wire, workload.reply);
  const body = Buffer.from(
    frames.map((frame) => `${eventLine(frameType(frame))}data: ${frame}\n\n`).join(""),
  );
  return Array.from({ length: Math.ceil(body.length / sliceBytes) }, (_, at) =>
    body.subarray(at * sliceBytes, (at + 1) * sliceBytes),
  );
}

/** Caches only the last reply, because the largest has tens of megabytes. */
let lastRendered: { readonly key: string; readonly slices: readonly Buffer[] } | undefined;

const server = createServer((request, response) => {
  const [, wire = "", workload = ""] = request.url?.split("/") ?? [];
  const key = `${wire}/${workload}`;
  if (lastRendered?.key !== key) lastRendered = { key, slices: render(wire, workload) };
  const { slices } = lastRendered;
  request.resume();
  request.on("end", () => {
    if (slices.length === 0) return response.writeHead(404).end();
    response.writeHead(200, { "content-type": "text/event-stream" });
    return Readable.from(slices).pipe(response);
  });
});
/** A slow contender does not read from its sockets for a long time. */
server.keepAliveTimeout = 600_000;
server.listen(0, "127.0.0.1", () => process.send?.(server.address()));
process.on("disconnect", () => process.exit());
