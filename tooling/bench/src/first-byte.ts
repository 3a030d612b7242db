import { createGateway, type Route, startServer } from "@fullstop/gateway";

/** Milliseconds from a request to the first chunk of its reply: the minimum of some rounds. */
export interface FirstByte {
  readonly direct: number;
  /** Through the gateway without its guard: a plain proxy of the same making. */
  readonly plain: number;
  readonly guarded: number;
}

const rounds = 50;
const warmUpRounds = 20;

/** The time of a text reply. `url` is the server of the bench. */
export async function measureFirstByte(url: string): Promise<FirstByte> {
  const route: Route = { url: `${url}/anthropic/text` };
  const plain = await startProxy({ ...route, host: "unguarded" });
  const guarded = await startProxy(route);
  try {
    const times = { direct: Infinity, plain: Infinity, guarded: Infinity };
    const addresses = { direct: route.url, plain: plain.url, guarded: guarded.url };
    const names = Object.keys(times) as (keyof FirstByte)[];
    for (let round = -warmUpRounds; round < rounds; round++)
      for (const name of names) {
        const ms = await timeFirstChunk(`${addresses[name]}/v1/messages`);
        if (round >= 0) times[name] = Math.min(times[name], ms);
      }
    return times;
  } finally {
    await Promise.all([plain, guarded].map(({ stop }) => stop()));
  }
}

interface Proxy {
  readonly url: string;
  stop(): Promise<unknown>;
}
async function startProxy(route: Route): Promise<Proxy> {
  const handler = createGateway({ routes: { provider: route } });
  const server = await startServer({ handler, port: 0 });
  return { url: `http://127.0.0.1:${server.port}`, stop: () => server.stop(0) };
}

const body = JSON.stringify({ model: "claude-sonnet-5-5", max_tokens: 4096, messages: [] });

async function timeFirstChunk(url: string): Promise<number> {
  const began = performance.now();
  const headers = { "content-type": "application/json" };
  const response = await fetch(url, { method: "POST", headers, body });
  const reader = response.body?.getReader();
  const { value } = (await reader?.read()) ?? {};
  const ms = performance.now() - began;
  if (!value?.length) throw new Error(`${url} gave no text.`);
  for (let done = false; !done; ) done = (await reader?.read())?.done ?? true;
  return ms;
}

export const formatFirstByte = ({ direct, plain, guarded }: FirstByte): string =>
  `First text, minimum of ${rounds}: ${direct.toFixed(2)} ms direct, ${plain.toFixed(2)} ms through a plain proxy, ` +
  `${guarded.toFixed(2)} ms through the gateway (${(guarded - plain).toFixed(2)} ms more, goal 1).\n`;
