import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { startModel } from "./model.ts";
import { start } from "./program.ts";

type Headers = Readonly<Record<string, string>>;
interface Sent {
  readonly path: string;
  readonly method?: "GET" | "DELETE";
  readonly headers?: Headers;
}

/** Starts a recipe. `asked` says how many requests the model got. */
async function serve(recipe: string) {
  let asked = 0;
  const model = await startModel(() => {
    asked += 1;
    return { text: "Done." };
  });
  const server = start(recipe, { model: model.url, env: { PORT: "0", HOSTS: "agents.example" } });
  const port = Number(/^port (\d+)$/m.exec(await server.printed("\n"))?.[1]);
  const send = async ({ path, method, headers = {} }: Sent) => {
    const options = { port, host: "127.0.0.1", path, method: method ?? "POST", agent: false };
    const sent = request({ ...options, headers });
    sent.end(method === undefined ? "Pay what is due." : undefined);
    const [response] = (await once(sent, "response")) as [IncomingMessage];
    return { status: response.statusCode, headers: response.headers, body: await text(response) };
  };
  return { port, send, asked: () => asked, close: () => model.close() };
}

const foreign: Readonly<Record<string, Headers>> = {
  "a page of another site": { "sec-fetch-site": "cross-site", origin: "https://evil.example" },
  "a page of another port": { "sec-fetch-site": "same-site", origin: "http://127.0.0.1:1" },
  "an older browser": { origin: "https://evil.example" },
  "a page without an origin": { origin: "null" },
  "a page under another name": { host: "evil.example:8080", "sec-fetch-site": "same-origin" },
};
const recipes = [
  { recipe: "approval-page", path: "/ask", effects: [`/decide/${"0".repeat(36)}`], started: 303 },
  { recipe: "sse-server", path: "/runs", effects: [], started: 200 },
] as const;

it.each(recipes)("$recipe takes nothing from pages of other sites", async (row) => {
  const { send, asked, close } = await serve(row.recipe);
  for (const [from, headers] of Object.entries(foreign))
    for (const path of [row.path, ...row.effects]) {
      const { status, body } = await send({ path, headers });
      expect([from, path, status, body]).toEqual([from, path, 403, expect.stringMatching(/\.$/)]);
    }
  const other = { headers: { host: "evil.example" } };
  expect((await send({ path: "/", method: "GET", ...other })).status).toBe(403);
  const cross = { headers: { "sec-fetch-site": "cross-site" } };
  expect((await send({ path: "/runs/x", method: "DELETE", ...cross })).status).toBe(403);
  expect(asked()).toBe(0);
  await close();
});

it.each(recipes)(
  "$recipe serves its own pages, and programs",
  async ({ recipe, path, started }) => {
    const { port, send, asked, close } = await serve(recipe);
    const own: readonly Headers[] = [
      {},
      { "sec-fetch-site": "same-origin", origin: `http://127.0.0.1:${port}` },
      { "sec-fetch-site": "none" },
      { host: "agents.example", origin: "https://agents.example" },
      { host: `localhost:${port}` },
      { host: `[::1]:${port}` },
    ];
    for (const headers of own) expect((await send({ path, headers })).status).toBe(started);
    expect(asked()).toBe(own.length);
    await close();
  },
);

it("a link of another site opens the approval page, and no page can frame it", async () => {
  const { send, close } = await serve("approval-page");
  const headers = { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" };
  const page = await send({ path: "/", method: "GET", headers });
  expect(page.status).toBe(200);
  expect(page.headers["content-security-policy"]).toContain("frame-ancestors 'none'");
  await close();
});
