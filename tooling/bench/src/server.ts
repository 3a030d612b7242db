// The server of the bench, a separate process, so that its work does not count. Each `POST
// /<wire>/<workload>/…` gets that reply.
import { createServer } from "node:http";
import { Readable } from "node:stream";
import { setTimeout } from "node:timers/promises";
import { contentTypeOf, eventsOf, slicesOf } from "./body.ts";
import { stretch } from "./stretch.ts";
import { type WireName, wires } from "./wires/index.ts";
import { workloads } from "./workloads.ts";

interface Rendered {
  readonly type: string;
  readonly slices: readonly Buffer[];
  readonly isLive?: true | undefined;
}

function render(name: string, workloadName: string): Rendered | undefined {
  const workload = workloads.find((one) => one.name === workloadName);
  if (workload === undefined || !Object.hasOwn(wires, name)) return undefined;
  const { wire } = wires[name as WireName];
  const { reply, isLive } = workload;
  const frames = stretch(wire, reply);
  const slices = isLive ? eventsOf(wire, frames) : slicesOf(wire, frames);
  return { type: contentTypeOf(wire), slices, isLive };
}

/** Caches only the last reply, because the largest has tens of megabytes. */
let last: { readonly key: string; readonly rendered: Rendered | undefined } | undefined;

/** Slow enough that the kernel joins no chunks. */
async function* paced(chunks: readonly Buffer[]): AsyncGenerator<Buffer> {
  for (const chunk of chunks) {
    yield chunk;
    await setTimeout(1);
  }
}

const server = createServer((request, response) => {
  const [, wire = "", workload = ""] = request.url?.split("/") ?? [];
  const key = `${wire}/${workload}`;
  if (last?.key !== key) last = { key, rendered: render(wire, workload) };
  const { rendered } = last;
  request.resume();
  request.on("end", () => {
    if (rendered === undefined) return response.writeHead(404).end();
    response.writeHead(200, { "content-type": rendered.type });
    const { slices, isLive } = rendered;
    return Readable.from(isLive ? paced(slices) : slices).pipe(response);
  });
});
/** A slow contender does not read from its sockets for a long time. */
server.keepAliveTimeout = 600_000;
server.listen(0, "127.0.0.1", () => process.send?.(server.address()));
process.on("disconnect", () => process.exit());
