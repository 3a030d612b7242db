// Runs over HTTP, as server-sent events. PORT=8080 node sse-server.ts
//   POST   /runs              a prompt as the body; answers { id }
//   GET    /runs/<id>/events  the events; with Last-Event-ID only those that came later
//   DELETE /runs/<id>         cancels the run
// A run whose last reader is gone for GRACE_MS milliseconds is cancelled. A browser that lost its
// connection comes back by itself, with Last-Event-ID.
import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { run, tool } from "@fullstop/loop";
import { anthropic } from "@fullstop/provider-anthropic";
import { z } from "zod";

const graceMs = Number(process.env["GRACE_MS"] ?? 15_000);
/** A run that ended can be read for this long. */
const keptMs = 5 * 60_000;
const maxRuns = 500;

const stock = tool({
  name: "stock",
  description: "How many pieces of an article are there.",
  inputSchema: z.object({ article: z.string() }),
  execute: async ({ article }) => ({ article, pieces: 3 }),
});
const adapter = anthropic("claude-sonnet-5-5");

interface Live {
  /** Everything that was sent. The id of an event is its position here, plus one. */
  readonly events: string[];
  readonly readers: Set<ServerResponse>;
  readonly controller: AbortController;
  grace?: NodeJS.Timeout | undefined;
  ended: boolean;
}
const runs = new Map<string, Live>();

function startRun(prompt: string): string {
  const id = randomUUID();
  const controller = new AbortController();
  const live: Live = { events: [], readers: new Set(), controller, ended: false };
  runs.set(id, live);
  const agent = run({
    adapter,
    tools: [stock],
    prompt,
    signal: controller.signal,
    limits: { turns: 20, deadlineMs: 10 * 60_000, idleMs: 60_000 },
  });
  void follow(agent, { id, live }).finally(() => setTimeout(() => runs.delete(id), keptMs).unref());
  return id;
}

interface Followed {
  readonly id: string;
  readonly live: Live;
}
async function follow(agent: ReturnType<typeof run>, { id, live }: Followed): Promise<void> {
  for await (const event of agent) {
    if (event.type === "text") publish(live, "text", event.text);
    if (event.type === "tool-call") publish(live, "call", event.call.name);
    // What came since the last turn is void: the page removes it.
    if (event.type === "turn") publish(live, "turn", { kept: event.kept });
  }
  const { status, summary } = await agent.outcome();
  console.log(`${id}: ${status}`);
  publish(live, "end", { status, summary });
  live.ended = true;
  clearTimeout(live.grace);
  for (const reader of live.readers) reader.end();
}

function publish(live: Live, type: string, data: unknown): void {
  const id = live.events.length + 1;
  const event = `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
  live.events.push(event);
  for (const reader of live.readers) reader.write(event);
}

function read(live: Live, request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
  const from = Number(request.headers["last-event-id"] ?? 0);
  response.write(`retry: 1000\n\n${live.events.slice(from).join("")}`);
  if (live.ended) return void response.end();
  live.readers.add(response);
  clearTimeout(live.grace);
  response.once("close", () => {
    live.readers.delete(response);
    if (live.readers.size === 0 && !live.ended)
      live.grace = setTimeout(() => live.controller.abort(), graceMs);
  });
}

const server = createServer((request, response) => {
  answer(request, response).catch((error: unknown) => {
    console.error(error);
    if (response.headersSent) response.destroy();
    else response.writeHead(500).end();
  });
});

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [, runsPath, id = "", part] = (request.url ?? "").split("/");
  const live = runs.get(id);
  const route = `${request.method} ${runsPath}${id && "/id"}${part ? `/${part}` : ""}`;
  if (route === "POST runs") {
    if (runs.size >= maxRuns) return void response.writeHead(503).end("Too many runs.");
    response.writeHead(201, { "content-type": "application/json" });
    response.end(JSON.stringify({ id: startRun(await text(request)) }));
  } else if (live === undefined) response.writeHead(404).end();
  else if (route === "GET runs/id/events") read(live, request, response);
  else if (route === "DELETE runs/id") {
    live.controller.abort();
    response.writeHead(204).end();
  } else response.writeHead(405).end();
}

server.listen(Number(process.env["PORT"] ?? 8080), "127.0.0.1", () => {
  const address = server.address();
  console.log(`port ${typeof address === "object" ? address?.port : address}`);
});
process.once("SIGTERM", () => {
  for (const { controller } of runs.values()) controller.abort();
  server.close();
});
