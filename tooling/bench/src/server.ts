// The other end of the bench, a process of its own so that its work is not counted. `POST /<workload>/v1/messages` answers with that reply.
import { createServer } from "node:http";
import { Readable } from "node:stream";
import { workloads } from "./workloads.ts";

const slice = 2 ** 14;
const slicesOf = (body: Buffer): readonly Buffer[] =>
  Array.from({ length: Math.ceil(body.length / slice) }, (_, at) => body.subarray(at * slice, (at + 1) * slice));
const replies = workloads.map(({ body }) => slicesOf(body));

const server = createServer((request, response) => {
  request.resume();
  const reply = replies[Number(request.url?.split("/")[1])];
  if (reply === undefined) return response.writeHead(404).end();
  response.writeHead(200, { "content-type": "text/event-stream" });
  return Readable.from(reply).pipe(response);
});
server.listen(0, "127.0.0.1", () => process.send?.(server.address()));
process.on("disconnect", () => process.exit());
