import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** Milliseconds from a request to the first chunk of its reply: the minimum of some rounds. */
export interface FirstByte {
  readonly direct: number;
  /** Through the gateway without its guard: a plain proxy of the same making. */
  readonly plain: number;
  readonly guarded: number;
}

const rounds = 50;
const unmeasuredRounds = 20;

/** The time of a text reply. `url` is the server of the bench. */
export async function measureFirstByte(url: string): Promise<FirstByte> {
  const direct = `${url}/anthropic/text`;
  const proxies = fork(fileURLToPath(new URL("proxies.ts", import.meta.url)), [direct]);
  try {
    const [started] = (await once(proxies, "message")) as [Record<"plain" | "guarded", string>];
    const addresses = { direct, ...started };
    const times = { direct: Infinity, plain: Infinity, guarded: Infinity };
    const names = Object.keys(times) as (keyof FirstByte)[];
    for (let round = -unmeasuredRounds; round < rounds; round++)
      for (const name of names) {
        const ms = await timeFirstChunk(`${addresses[name]}/v1/messages`);
        if (round >= 0) times[name] = Math.min(times[name], ms);
      }
    return times;
  } finally {
    proxies.disconnect();
  }
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
