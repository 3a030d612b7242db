import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Serving } from "@fullstop/conformance/server";
import { afterAll, expect, test } from "vitest";
import { createFolder } from "./command.ts";
import { type Faults, fakeHost } from "./fake-host.ts";

const folder = createFolder();
afterAll(() => folder[Symbol.dispose]());
const key = "sk-secret-0123456789";

async function withHost<Done>(
  faults: Faults,
  use: (host: Serving) => Promise<Done>,
): Promise<Done> {
  const host = await fakeHost(faults);
  try {
    return await use(host);
  } finally {
    await host.close();
  }
}

const run = (url: string, ...args: readonly string[]) =>
  folder.run(["host", `${url}/v1`, "--model", "m", "--caps", "2", ...args], {
    KEY: key,
    NO_COLOR: "1",
  });
const askFully = (faults: Faults) => withHost(faults, ({ url }) => run(url, "--yes", "--api=chat"));

test("a sound host gets tier 1, and its adapter needs no option", async () => {
  const { code, stdout, stderr } = await askFully({});
  expect(code).toBe(0);
  expect(stderr).toContain("The plan needs at most");
  expect(stdout).toMatch(/a cut reply is called +`length` \d+\n/);
  expect(stdout).toMatch(
    / cap 9: `length`, tokens: 9, .*\(9 of 9 tokens, it ends inside an input\)/,
  );
  expect(stdout).toMatch(/at exactly the cap +`tool_calls` 4, `stop` 2\n/);
  expect(stdout).toMatch(/a finished reply is called +`tool_calls` 8, `stop` 4\n/);
  expect(stdout).toMatch(/usage in streams +(\d+) of \1\n/);
  expect(stdout).toMatch(/an end mark +(\d+) of \1 \(`\[DONE\]`\)\n/);
  expect(stdout).toMatch(/pieces of an input +2 to \d+ in \d+ inputs/);
  expect(stdout).toMatch(/two calls in one reply +2 of 2\n/);
  expect(stdout).toMatch(/a required call +2 of 2\n/);
  expect(stdout).toMatch(/a long input +1 of 1\n/);
  expect(stdout).toContain('openaiCompatible("custom", "m", {');
  expect(stdout).toMatch(/With it 0 of \d+ cut replies .* and 8 of 8 whole ones/);
  expect(stdout).toContain("Tier 1: ");
});

/** A host, what is printed about it, and the exit code. */
const hosts: Readonly<Record<string, readonly [Faults, readonly RegExp[], number]>> = {
  "calls a cut reply finished": [
    { cutWord: "tool_calls" },
    [
      /is called +`tool_calls` \d+\n/,
      /cap 9: `tool_calls`, tokens: 9, .*it ends inside an input/,
      /mislabelsTruncation: true/,
      /maxTokens: \{\n +default: 4096/,
      /Tier 2/,
    ],
    0,
  ],
  "calls a cut reply finished, and counts nothing": [
    { cutWord: "stop", usage: "none" },
    [
      /usage in streams +0 of \d+\n/,
      /mislabelsTruncation: true/,
      / 0 of [1-9]\d* whole ones/,
      /Tier 3/,
    ],
    1,
  ],
  "counts too little in a cut reply": [
    { cutWord: "tool_calls", usage: "always 1" },
    [/usage in streams +.*; \d+ cut replies count too little/, /Tier 3/],
    1,
  ],
  "has a word of its own for a cut reply": [
    { cutWord: "budget_spent" },
    [/is called +`budget_spent` \d+\n/, /\.\.\.dialects\.custom\.stops,\n +budget_spent: "length"/],
    0,
  ],
  "counts nothing": [{ usage: "none" }, [/usage in one piece +0 of \d+\n/, /Tier 1/], 0],
  "sends no [DONE]": [{ done: false }, [/an end mark +0 of \d+ /, /Tier 1/], 0],
  "has no word for the end": [
    { word: null },
    [
      /no word at all +(\d+) of \1\n/,
      /a finished reply is called +not seen\n/,
      /Tier none: Too few/,
    ],
    1,
  ],
  "writes calls as text": [{ leaks: true }, [/leaks into text +(?!0)\d+ of/, /Tier 3/], 1],
  "gives two calls one id": [
    { ids: "same" },
    [/an id for each call +(\d+) of \1\n/, /no id a second time +0 of \d+\n/],
    0,
  ],
  "sends `{}` before an input": [{ placeholder: true }, [/placeholders +(?!0)\d+ of/], 0],
  "sends inputs whole": [{ whole: true }, [/pieces of an input +1 to 1 in/], 0],
  "makes one call of two": [{ calls: "one" }, [/two calls in one reply +0 of 2\n/], 0],
  "cannot require a call": [{ ignoresRequired: true }, [/a required call +0 of 2\n/], 0],
  "calls a reply finished that a stop sequence cut": [
    { dropsStopped: true },
    [/a stop sequence +`tool_calls` 2\n.*"harbour"/, /mislabelsStopSequences: true/, /Tier 2/],
    0,
  ],
  "cuts a long input": [{ longest: 200 }, [/a long input +0 of 1\n/], 0],
  "refuses results": [{ refusesRole: "tool" }, [/a history with a result +0 of 1\n/], 0],
  "has another name for the cap": [
    { refuses: ["max_tokens"] },
    [/capName: "max_completion_tokens"/, /Tier 2/],
    0,
  ],
  "refuses `stream_options`": [{ refuses: ["stream_options"] }, [/noStreamOptions: true/], 0],
};

test.for(Object.entries(hosts))("a host that %s is seen", async ([, [faults, wanted, exit]]) => {
  const { code, stdout } = await askFully(faults);
  for (const pattern of wanted) expect(stdout).toMatch(pattern);
  expect(code).toBe(exit);
});

test.for([
  [{ api: "messages" }, /^Messages at .*\n.*\n\na cut reply is called +`max_tokens` \d+\n/, 1],
  [{ api: "responses" }, /^Responses at .*\n.*\n\na cut reply is called +`incomplete` \d+\n/, 1],
  [{ api: "gemini" }, /^generateContent at .*\n.*\n\na cut reply is called +`MAX_TOKENS` \d+\n/, 1],
  [
    { api: "interactions" },
    /^Interactions at .*\n.*\n\na cut reply is called +`incomplete` \d+\n/,
    1,
  ],
  [{ api: "messages", cutWord: "tool_calls" }, /mislabelsTruncation: true/, 2],
  [{ api: "messages", done: false }, /an end mark +0 of .*\n(.*\n)*.*messageStop: "optional"/, 2],
] as const)("a host of another protocol is recognized: %o", ([faults, wanted, tier]) =>
  withHost(faults, async ({ url }) => {
    const { code, stdout } = await run(url, "--yes");
    expect(stdout).toMatch(wanted);
    expect(stdout).toContain(`Tier ${tier}: `);
    expect(code).toBe(0);
  }),
);

test("nothing is asked before the plan is confirmed", () =>
  withHost({}, async (host) => {
    const { code, stderr } = await run(host.url);
    expect([code, host.requests.length]).toEqual([2, 0]);
    expect(stderr).toMatch(/at most \d+ requests, \d+ output tokens.*--yes/s);
  }));

test("a budget is kept, and what was not asked is not seen", () =>
  withHost({ usage: "none" }, async (host) => {
    const { stdout } = await run(host.url, "--budget=12/1100", "--max-tokens=100");
    const caps = host.requests.map(({ body }) => Number(JSON.parse(body).max_tokens));
    expect(caps.length).toBe(12);
    expect(caps.reduce((sum, cap) => sum + cap, 0)).toBeLessThanOrEqual(1100);
    expect(stdout).toMatch(/^12 requests, \d+ output tokens, \d+ requests left out/m);
    expect(stdout).toMatch(/a long input +not seen\n/);
  }));

test("the key is sent and never printed, and the report has a file", () =>
  withHost({ refuses: ["stream_options"] }, async (host) => {
    const args = ["--yes", "--key-env=KEY", "--json=report.json"];
    const { stdout, stderr } = await run(host.url, ...args);
    expect(host.requests[0]?.headers["authorization"]).toBe(`Bearer ${key}`);
    const json = readFileSync(join(folder.path, "report.json"), "utf8");
    expect(stdout + stderr + json).not.toContain(key);
    expect(stdout).toContain('apiKey: process.env["KEY"],');
    expect(JSON.parse(json)).toMatchObject({ api: "chat", model: "m", tier: 2 });
  }));

test("Ctrl-C prints what was learnt", () =>
  withHost({ silentAfter: 9 }, async (host) => {
    const child = folder.start("host", `${host.url}/v1`, "--model=m", "--yes", "--api=chat");
    const { promise, resolve } = Promise.withResolvers<number | null>();
    let stdout = "";
    child.stdout?.on("data", (piece) => (stdout += piece));
    child.on("close", resolve);
    while (host.requests.length < 10) await new Promise((wait) => setTimeout(wait, 20));
    child.kill("SIGINT");
    expect(await promise).toBe(130);
    expect(stdout).toMatch(/a finished reply is called +`tool_calls` 4, `stop` 2\n/);
    expect(stdout).toMatch(/a long input +not seen\n/);
  }));

test("a host that is not there is named", async () => {
  const { url, close } = await fakeHost();
  await close();
  const { code, stderr } = await run(url, "--yes");
  expect(code).toBe(2);
  expect(stderr).toMatch(/The host answers no request\.\nChat Completions: .*127\.0\.0\.1/);
});

test.for([
  [["--budget=40"], "requests/output tokens"],
  [["--params=[]"], "Write a JSON object"],
  [["--key-env=NOTHING", "--yes"], "NOTHING is not set"],
] as const)("%s is refused", async ([args, message]) => {
  const { code, stderr } = await run("http://127.0.0.1:9", ...args);
  expect(code).toBe(2);
  expect(stderr).toContain(message);
});
