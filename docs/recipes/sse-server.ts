// Runs over HTTP, as server-sent events. PORT=8080 node sse-server.ts
//   POST   /runs       a prompt as the body; answers the events, with their address in `Location`
//   GET    /runs/<id>  the events again; with Last-Event-ID only those that came later
//   DELETE /runs/<id>  cancels the run
// A run whose last reader is gone for GRACE_MS milliseconds is cancelled. An `EventSource` that
// lost its connection comes back by itself, with Last-Event-ID.
import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import type { ReadableStream } from "node:stream/web";
import { run, tool } from "@fullstop/loop";
import { anthropic } from "@fullstop/provider-anthropic";
import { createRunStreams, resumeSse, sseResponse } from "@fullstop/ui";
import { z } from "zod";
import { refusalOf } from "./foreign-requests.ts";

const streams = createRunStreams({
  graceMs: Number(process.env["GRACE_MS"] ?? 15_000),
  keepEndedMs: 5 * 60_000,
  maxStreams: 500, // more are answered with 503
});
const stock = tool({
  name: "stock",
  description: "How many pieces of an article are there.",
  inputSchema: z.object({ article: z.string() }),
  execute: async ({ article }) => ({ article, pieces: 3 }),
});
const adapter = anthropic("claude-sonnet-5-5");

async function startRun(prompt: string): Promise<Response> {
  const streamId = randomUUID();
  const agent = run({
    adapter,
    tools: [stock],
    prompt,
    limits: { turns: 20, deadlineMs: 10 * 60_000, idleMs: 60_000 },
  });
  const response = await sseResponse(agent, {
    streams,
    streamId,
    onEnd: ({ status }) => console.log(`${streamId}: ${status}`),
    // Not every reader should see what the tools answer.
    select: (event) => (event.type === "tool-result" ? undefined : event),
  });
  response.headers.set("location", `/runs/${streamId}`);
  return response;
}

/** Check here that the user may read the run: who knows its id can. */
async function answer(incoming: IncomingMessage): Promise<Response> {
  const refusal = refusalOf(incoming);
  if (refusal !== undefined) return new Response(refusal, { status: 403 });
  const { method, url = "/" } = incoming;
  const [, part, id = ""] = url.split("/");
  if (part !== "runs") return new Response(null, { status: 404 });
  if (method === "POST" && id === "") return startRun(await text(incoming));
  if (method === "GET") {
    const lastEventId = incoming.headers["last-event-id"];
    const headers = new Headers();
    if (typeof lastEventId === "string") headers.set("last-event-id", lastEventId);
    return resumeSse(streams, id, new Request(`http://localhost${url}`, { headers }));
  }
  if (method === "DELETE")
    return new Response(null, { status: (await streams.stop(id)) ? 204 : 404 });
  return new Response(null, { status: 405 });
}

async function serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const { status, headers, body } = await answer(incoming);
  outgoing.writeHead(status, Object.fromEntries(headers));
  if (body === null) outgoing.end();
  // `pipeline` rejects if the reader leaves. It has told the run by then.
  else await pipeline(Readable.fromWeb(body as ReadableStream), outgoing).catch(() => {});
}

const server = createServer((incoming, outgoing) => {
  serve(incoming, outgoing).catch((error: unknown) => {
    console.error(error);
    if (outgoing.headersSent) outgoing.destroy();
    else outgoing.writeHead(500).end();
  });
});
server.listen(Number(process.env["PORT"] ?? 8080), "127.0.0.1", () => {
  const address = server.address();
  console.log(`port ${typeof address === "object" ? address?.port : address}`);
});
process.once("SIGTERM", async () => {
  await streams.close();
  server.close();
});
