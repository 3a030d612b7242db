// A bot for a chat service such as Slack: each mention is one run, and each thread is one conversation,
// kept in SQLite. SLACK_SIGNING_SECRET=… SLACK_BOT_TOKEN=… PORT=8080 node slack-bot.ts
// Subscribe the app to `app_mention`, with this server as the request URL.
import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { DatabaseSync } from "node:sqlite";
import { text } from "node:stream/consumers";
import { type Message, run, tool } from "@fullstop/loop";
import { anthropic } from "@fullstop/provider-anthropic";
import { z } from "zod";

const database = new DatabaseSync("threads.sqlite");
database.exec("CREATE TABLE IF NOT EXISTS threads (id TEXT PRIMARY KEY, messages TEXT NOT NULL)");
database.exec("CREATE TABLE IF NOT EXISTS seen (event TEXT PRIMARY KEY)");
const load = database.prepare("SELECT messages FROM threads WHERE id = ?");
const save = database.prepare("INSERT OR REPLACE INTO threads (id, messages) VALUES (?, ?)");
const see = database.prepare("INSERT OR IGNORE INTO seen (event) VALUES (?)");

const onCall = tool({
  name: "on_call",
  description: "Who is on call for a service.",
  inputSchema: z.object({ service: z.string() }),
  execute: async ({ service }) => `Robin is on call for ${service}.`,
});

const Mention = z.object({
  type: z.literal("app_mention"),
  text: z.string(),
  channel: z.string(),
  ts: z.string(),
  thread_ts: z.string().optional(),
});
const Body = z.union([
  z.object({ type: z.literal("url_verification"), challenge: z.string() }),
  z.object({ type: z.literal("event_callback"), event_id: z.string(), event: z.unknown() }),
]);

const stop = new AbortController();
/** The last job of each thread: one run at a time. */
const threads = new Map<string, Promise<void>>();

async function reply(thread: string, mention: z.infer<typeof Mention>): Promise<void> {
  const stored = load.get(thread)?.["messages"];
  const {
    status,
    messages,
    text: said,
    summary,
  } = await run({
    adapter: anthropic("claude-sonnet-5-5"),
    system: "You help in a chat. Answer in a few sentences.",
    tools: [onCall],
    messages: typeof stored === "string" ? (JSON.parse(stored) as Message[]) : [],
    prompt: mention.text,
    limits: { turns: 20, deadlineMs: 5 * 60_000 },
    signal: stop.signal,
  }).outcome();
  // The messages are a whole conversation, however the run ended: the next one continues from them.
  save.run(thread, JSON.stringify(messages));
  await post(mention, status === "done" ? said : summary);
}

async function post(
  { channel, ts, thread_ts = ts }: z.infer<typeof Mention>,
  said: string,
): Promise<void> {
  const response = await fetch("https://slack.com/api/chat.postMessage", {
    method: "POST",
    headers: {
      "content-type": "application/json; charset=utf-8",
      authorization: `Bearer ${process.env["SLACK_BOT_TOKEN"]}`,
    },
    body: JSON.stringify({ channel, thread_ts, text: said }),
    signal: AbortSignal.timeout(10_000),
  });
  const { ok, error } = (await response.json()) as { ok: boolean; error?: string };
  if (!ok) throw new Error(`Slack did not take the message: ${error}`);
}

/** https://docs.slack.dev/authentication/verifying-requests-from-slack */
function isSigned({ headers }: IncomingMessage, body: string): boolean {
  const time = String(headers["x-slack-request-timestamp"]);
  const secret = process.env["SLACK_SIGNING_SECRET"] ?? "";
  const wanted = `v0=${createHmac("sha256", secret).update(`v0:${time}:${body}`).digest("hex")}`;
  const given = Buffer.from(String(headers["x-slack-signature"]));
  return (
    secret !== "" &&
    Math.abs(Date.now() / 1000 - Number(time)) < 300 &&
    given.length === wanted.length &&
    timingSafeEqual(given, Buffer.from(wanted))
  );
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await text(request);
  if (!isSigned(request, body)) return void response.writeHead(401).end();
  const parsed = Body.parse(JSON.parse(body));
  if (parsed.type === "url_verification") return void response.writeHead(200).end(parsed.challenge);
  response.writeHead(200).end(); // Slack sends the event again after three seconds without an answer
  const { success, data: mention } = Mention.safeParse(parsed.event);
  if (!success || see.run(parsed.event_id).changes === 0) return;
  const thread = `${mention.channel}/${mention.thread_ts ?? mention.ts}`;
  const job = (threads.get(thread) ?? Promise.resolve())
    .then(() => reply(thread, mention))
    .catch((error: unknown) => console.error(error))
    .finally(() => threads.get(thread) === job && threads.delete(thread));
  threads.set(thread, job);
}

const server = createServer((request, response) => {
  answer(request, response).catch((error: unknown) => {
    console.error(error);
    if (!response.headersSent) response.writeHead(400).end();
  });
});
server.listen(Number(process.env["PORT"] ?? 8080), "127.0.0.1", () => {
  const address = server.address();
  console.log(`port ${typeof address === "object" ? address?.port : address}`);
});
process.once("SIGTERM", () => {
  stop.abort();
  server.close();
  void Promise.all(threads.values()).then(() => database.close());
});
