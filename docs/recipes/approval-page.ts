// An approval in a web page, days later. PORT=8080 node approval-page.ts
// A run that needs a decision is stored as a file, and the process may stop. The page shows what waits;
// the decision continues the run.
import { randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import {
  type Decision,
  type Message,
  type Outcome,
  type ReviewedCall,
  run,
  tool,
} from "@fullstop/loop";
import { anthropic } from "@fullstop/provider-anthropic";
import { z } from "zod";
import { refusalOf } from "./foreign-requests.ts";

const pay = tool({
  name: "pay",
  description: "Pay an invoice.",
  inputSchema: z.object({ invoice: z.string(), cents: z.int() }),
  needsApproval: true,
  execute: ({ invoice, cents }) => {
    console.log(`paid ${invoice}: ${cents} cents`);
    return `Paid ${invoice}.`;
  },
});
/**
 * Both runs, the first and the one that continues, have the same options. They have no `approve`, so
 * a call that needs approval ends the run with the status `waiting`.
 */
const agent = { adapter: anthropic("claude-sonnet-5-5"), tools: [pay] };

interface Stored {
  readonly messages: readonly Message[];
  /** For `waiting`. It is plain JSON. */
  readonly turn: unknown;
  /** What the page shows. */
  readonly calls: readonly ReviewedCall[];
}
const folder = "waiting";
const fileOf = (id: string): string => join(folder, `${id}.json`);

/** Stores a run that waits; reports one that ended. */
async function settle(outcome: Outcome): Promise<void> {
  console.log(outcome.summary);
  if (outcome.status !== "waiting") return console.log(outcome.text);
  const { messages, turn, calls } = outcome;
  await mkdir(folder, { recursive: true });
  await writeFile(fileOf(randomUUID()), JSON.stringify({ messages, turn, calls } satisfies Stored));
}

/** Continues a stored run with one answer for all of its calls. */
async function decide(id: string, isAllowed: boolean): Promise<void> {
  const taken = `${fileOf(id)}.taken`;
  await rename(fileOf(id), taken); // two clicks decide once
  const { messages, turn, calls } = JSON.parse(await readFile(taken, "utf8")) as Stored;
  // `allow` is valid for the input that the page showed, and for no other.
  const decisions = Object.fromEntries(
    calls.map(({ id, input }): [string, Decision] => [
      id,
      isAllowed ? { allow: input } : { deny: "A person declined." },
    ]),
  );
  await settle(await run({ ...agent, messages, waiting: { turn, decisions } }).outcome());
  await rm(taken);
}

const escapeHtml = (value: string): string =>
  value.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");

async function page(): Promise<string> {
  const files = await readdir(folder).catch(() => []);
  const forms = files
    .filter((file) => file.endsWith(".json"))
    .map(async (file) => {
      const { calls } = JSON.parse(await readFile(join(folder, file), "utf8")) as Stored;
      const lines = calls.map(
        ({ name, input }) => `<pre>${escapeHtml(`${name} ${JSON.stringify(input)}`)}</pre>`,
      );
      return `<form method="post" action="/decide/${file.replace(".json", "")}">${lines.join("")}
        <button name="answer" value="allow">Allow</button> <button name="answer" value="deny">Deny</button></form>`;
    });
  return `<!doctype html><title>Approvals</title>${(await Promise.all(forms)).join("<hr>") || "Nothing waits."}`;
}

/** Another site cannot show the page in a frame, and so lead a click to its buttons. */
const pageHeaders = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": "default-src 'none'; form-action 'self'; frame-ancestors 'none'",
};

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const refusal = refusalOf(request);
  if (refusal !== undefined) return void response.writeHead(403).end(refusal);
  const [, route = "", id = ""] = (request.url ?? "").split("/");
  if (request.method === "GET" && route === "") {
    response.writeHead(200, pageHeaders).end(await page());
  } else if (request.method === "POST" && route === "ask") {
    await settle(await run({ ...agent, prompt: await text(request) }).outcome());
    response.writeHead(303, { location: "/" }).end();
  } else if (request.method === "POST" && route === "decide" && /^[\w-]{36}$/.test(id)) {
    await decide(id, new URLSearchParams(await text(request)).get("answer") === "allow");
    response.writeHead(303, { location: "/" }).end();
  } else response.writeHead(404).end();
}

const server = createServer((request, response) => {
  answer(request, response).catch((error: unknown) => {
    console.error(error);
    response.writeHead(500).end("It did not work. The log says why.");
  });
});
server.listen(Number(process.env["PORT"] ?? 8080), "127.0.0.1", () => {
  const address = server.address();
  console.log(`port ${typeof address === "object" ? address?.port : address}`);
});
process.once("SIGTERM", () => server.close());
