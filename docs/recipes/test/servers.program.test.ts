import { createHmac } from "node:crypto";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { join } from "node:path";
import { expect, it } from "vitest";
import { type Said, startModel } from "./model.ts";
import { type Program, start } from "./program.ts";

const portOf = async (program: Program): Promise<string> => {
  const [, port = ""] = /^port (\d+)$/m.exec(await program.printed("\n")) ?? [];
  return `http://127.0.0.1:${port}`;
};
const calls = (name: string, input: object): Said => ({ calls: [{ name, input }] });

/** Resolves when the number of calls is reached; the calls resolve when it is opened. */
function createBarrier(size: number): { pass(): Promise<void>; full: Promise<void>; open(): void } {
  const full = Promise.withResolvers<void>();
  const opened = Promise.withResolvers<void>();
  let count = 0;
  return {
    full: full.promise,
    open: opened.resolve,
    pass: () => {
      if (++count === size) full.resolve();
      return opened.promise;
    },
  };
}

interface Asked {
  readonly prompt?: string;
  readonly headers?: Readonly<Record<string, string>>;
}
/** With a prompt it starts a run. */
async function connect(
  url: string,
  { prompt, headers = {} }: Asked = {},
): Promise<IncomingMessage> {
  const method = prompt === undefined ? "GET" : "POST";
  const sent = request(url, { method, headers, agent: false }).end(prompt);
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  return response.setEncoding("utf8");
}
async function readAll(response: IncomingMessage): Promise<string> {
  let all = "";
  for await (const piece of response) all += piece;
  return all;
}

interface SentEvent {
  readonly id: string;
  readonly type: string;
  readonly text?: string;
}
const eventsIn = (stream: string): readonly SentEvent[] =>
  [...stream.matchAll(/^id: (.*)\ndata: (.*)$/gm)].map(([, id, data = ""]) => ({
    id,
    ...JSON.parse(data),
  }));

it("sse-server runs 150 at once, and cancels the 50 whose readers left", async () => {
  const barrier = createBarrier(150);
  const model = await startModel(async ({ results }) => {
    if (results.length === 0)
      return { text: "Let me see. ", ...calls("stock", { article: "bolt" }) };
    await barrier.pass();
    return { text: "Three are left." };
  });
  const server = start("sse-server", { model: model.url, env: { PORT: "0", GRACE_MS: "50" } });
  const url = await portOf(server);
  const readers = await Promise.all(
    Array.from({ length: 150 }, () => connect(`${url}/runs`, { prompt: "How many bolts?" })),
  );
  await barrier.full;
  const [left, stayed] = [readers.slice(0, 50), readers.slice(50)];
  for (const reader of left) reader.destroy();
  const ends = (status: string): number => server.output().split(`: ${status}\n`).length - 1;
  await expect.poll(() => ends("aborted")).toBe(50);
  barrier.open();
  for (const events of await Promise.all(stayed.map(readAll))) {
    const sent = eventsIn(events);
    expect(sent.at(-1)).toMatchObject({ type: "end", outcome: { status: "done" } });
    expect(sent).toContainEqual(expect.objectContaining({ type: "text", text: "left." }));
  }
  server.kill("SIGTERM");
  await server.ended();
  expect({ aborted: ends("aborted"), done: ends("done") }).toEqual({ aborted: 50, done: 100 });
  expect(model.violations).toEqual([]);
  await model.close();
});

it("sse-server resumes a stream where the reader lost it, and cancels on request", async () => {
  const barriers = [createBarrier(1), createBarrier(1)] as const;
  const [barrier, second] = barriers;
  let runs = 0;
  const model = await startModel(async ({ results }) => {
    if (results.length === 0) return { text: "One. ", ...calls("stock", { article: "bolt" }) };
    await barriers[runs++]?.pass();
    return { text: "Two." };
  });
  const server = start("sse-server", { model: model.url, env: { PORT: "0", GRACE_MS: "60000" } });
  const url = await portOf(server);
  const first = await connect(`${url}/runs`, { prompt: "Count." });
  const events = `${url}${first.headers.location}`;
  let seen = "";
  for await (const piece of first) {
    seen += piece;
    if (seen.includes('"tool-call"')) break;
  }
  await barrier.full;
  const last = eventsIn(seen).at(-1)?.id ?? "";
  const again = await connect(events, { headers: { "last-event-id": last } });
  barrier.open();
  const rest = eventsIn(await readAll(again));
  const textOf = (sent: readonly SentEvent[]): string =>
    sent.map(({ type, text }) => (type === "text" ? text : "")).join("");
  expect(textOf(rest)).toBe("Two.");
  expect(rest.at(-1)?.type).toBe("end");
  const whole = eventsIn(await readAll(await connect(events)));
  expect(textOf(whole)).toBe("One. Two.");
  expect(whole.map(({ type }) => type)).toContain("tool-call");
  expect(whole.map(({ type }) => type)).not.toContain("tool-result");

  const other = await connect(`${url}/runs`, { prompt: "Count." });
  const cancelled = `${url}${other.headers.location}`;
  const reader = readAll(other);
  await second.full;
  expect((await fetch(cancelled, { method: "DELETE" })).status).toBe(204);
  expect(eventsIn(await reader).at(-1)).toMatchObject({ outcome: { status: "aborted" } });
  expect((await fetch(cancelled, { method: "DELETE" })).status).toBe(404);
  second.open();
  server.kill("SIGTERM");
  await server.ended();
  await model.close();
});

it("approval-page stores what waits, and continues days later in another process", async () => {
  const model = await startModel(({ results }) =>
    results.length === 0
      ? calls("pay", { invoice: "<b>7</b>", cents: 1250 })
      : { text: `The answer was: ${results.join()}` },
  );
  const env = { PORT: "0" };
  const first = start("approval-page", { model: model.url, env });
  await fetch(`${await portOf(first)}/ask`, { method: "POST", body: "Pay what is due." });
  await fetch(`${await portOf(first)}/ask`, { method: "POST", body: "Pay what is due." });
  first.kill("SIGTERM");
  expect(await first.ended()).not.toContain("paid");

  const second = start("approval-page", { model: model.url, env, folder: first.folder });
  const url = await portOf(second);
  const page = await (await fetch(url)).text();
  expect(page).toContain(
    "pay {&quot;invoice&quot;:&quot;&lt;b>7&lt;/b>&quot;,&quot;cents&quot;:1250}",
  );
  const [allowed = "", denied = ""] = [...page.matchAll(/action="([^"]+)"/g)].map(([, to]) => to);
  const decide = (path: string, answer: string): Promise<Response> =>
    fetch(url + path, { method: "POST", body: new URLSearchParams({ answer }) });
  const clicks = await Promise.all([decide(allowed, "allow"), decide(allowed, "allow")]);
  expect(clicks.map(({ status }) => status).sort()).toEqual([200, 500]);
  await decide(denied, "deny");
  expect(await (await fetch(url)).text()).toContain("Nothing waits.");
  second.kill("SIGTERM");
  const printed = await second.ended();
  expect(printed.match(/^paid .*$/gm)).toEqual(["paid <b>7</b>: 1250 cents"]);
  expect(printed).toContain("A person declined.");
  expect(readdirSync(join(first.folder, "waiting"))).toEqual([]);
  expect(model.violations).toEqual([]);
  await model.close();
});

it("slack-bot keeps one conversation for each thread, over a restart", async () => {
  const posted: { readonly thread_ts: string; readonly text: string }[] = [];
  const model = await startModel(
    ({ body, results }) =>
      results.length === 0
        ? calls("on_call", { service: "search" })
        : {
            text: `${body.match(/"text":"[Ww]ho[^"]*"|"content":"[Ww]ho[^"]*"/g)?.length} questions`,
          },
    ({ body }) => {
      posted.push(JSON.parse(body) as (typeof posted)[number]);
      return { ok: true };
    },
  );
  const env = { PORT: "0", SLACK_SIGNING_SECRET: "secret", SLACK_BOT_TOKEN: "none" };
  const send = (url: string, event_id: string, event: object): Promise<Response> => {
    const body = JSON.stringify({ type: "event_callback", event_id, event });
    const time = String(Math.floor(Date.now() / 1000));
    const hash = createHmac("sha256", "secret").update(`v0:${time}:${body}`).digest("hex");
    const headers = { "x-slack-request-timestamp": time, "x-slack-signature": `v0=${hash}` };
    return fetch(url, { method: "POST", body, headers });
  };
  const mention = { type: "app_mention", text: "Who is on call?", channel: "C1", ts: "1.0" };

  const first = start("slack-bot", { model: model.url, env });
  const url = await portOf(first);
  expect((await fetch(url, { method: "POST", body: "{}" })).status).toBe(401);
  await send(url, "E1", mention);
  await send(url, "E1", mention);
  await expect.poll(() => posted.length).toBe(1);
  first.kill("SIGTERM");
  await first.ended();

  const second = start("slack-bot", { model: model.url, env, folder: first.folder });
  const again = await portOf(second);
  await send(again, "E1", mention);
  await send(again, "E2", { ...mention, text: "Who else?", ts: "2.0", thread_ts: "1.0" });
  await expect.poll(() => posted.length).toBe(2);
  second.kill("SIGTERM");
  await second.ended();
  expect(posted.map(({ thread_ts }) => thread_ts)).toEqual(["1.0", "1.0"]);
  expect(model.violations).toEqual([]);
  await model.close();
});
