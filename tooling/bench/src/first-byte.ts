import { type ProxyName, proxyNames, withProxies } from "./proxies.ts";

/** Milliseconds from a request to the first chunk of its reply: the minimum of some rounds. */
export type FirstByte = Readonly<Record<"direct" | ProxyName, number>>;

const rounds = 50;
const unmeasuredRounds = 20;

/** The time of a text reply. `url` is the server of the bench. */
export function measureFirstByte(url: string): Promise<FirstByte> {
  const direct = `${url}/anthropic/text`;
  return withProxies(proxyNames, direct, async ({ proxy, gateway }) => {
    const addresses = { direct, proxy: proxy?.url, gateway: gateway?.url };
    const times = { direct: Infinity, proxy: Infinity, gateway: Infinity };
    const names = Object.keys(times) as (keyof FirstByte)[];
    for (let round = -unmeasuredRounds; round < rounds; round++)
      for (const name of names) {
        const ms = await timeFirstChunk(`${addresses[name]}/v1/messages`);
        if (round >= 0) times[name] = Math.min(times[name], ms);
      }
    return times;
  });
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

export const formatFirstByte = ({ direct, proxy, gateway }: FirstByte): string =>
  `First text, minimum of ${rounds}: ${direct.toFixed(2)} ms direct, ${proxy.toFixed(2)} ms through a plain proxy, ` +
  `${gateway.toFixed(2)} ms through the gateway (${(gateway - proxy).toFixed(2)} ms more, goal 1).\n`;
