import type { Fixture } from "@fullstop/conformance";
import { type Answer, type Serving, serve } from "@fullstop/conformance/server";
import { interactionsWire } from "@fullstop/conformance/wires/gemini-interactions";
import { type GuardOptions, type GuardReport, guard } from "@fullstop/guard";
import { GoogleGenAI } from "@google/genai";
import { isFull } from "@tooling/test/full";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

let server: Serving;
let answer: Answer = { chunks: [] };
beforeAll(async () => {
  server = await serve(() => answer);
});
afterAll(() => server.close());

const utf8 = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);
const textOf = ({ frames: { upToTerminal, after = [] } }: Fixture): string =>
  [...upToTerminal, ...after].map((data) => `data: ${data}\n\n`).join("");

const json = { "content-type": "application/json" };

interface Asked extends GuardOptions {
  readonly body?: object;
  readonly method?: "GET";
  readonly path?: string;
}
async function ask(next: Answer, { body, method, path = "", ...options }: Asked = {}) {
  answer = next;
  let report: GuardReport | undefined;
  const fetch = guard(globalThis.fetch, {
    onReply: (one) => {
      report = one;
    },
    ...options,
  });
  const sent = { model: "gemini-3.8-flash", input: "Go.", stream: true, store: false, ...body };
  const response = await fetch(`${server.url}/v1beta/interactions${path}`, {
    ...(method === undefined
      ? {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ generation_config: { max_output_tokens: 1024 }, ...sent }),
        }
      : { method }),
  });
  let text = "";
  let isBroken = false;
  try {
    const decoder = new TextDecoder();
    for await (const bytes of response.body ?? []) text += decoder.decode(bytes, { stream: true });
  } catch {
    isBroken = true;
  }
  return { status: response.status, text, isBroken, report };
}

const { fixtures = [] } = interactionsWire;
const hasCall = (fixture: Fixture): boolean => textOf(fixture).includes("function_call");
const named = (name: string): Fixture => {
  const found = fixtures.find(({ file }) => file === name);
  if (found === undefined) throw new Error(`The corpus has no reply ${name}.`);
  return found;
};
const noted = new Set(["length", "pause", "malformed-tool-call"]);

describe("replies of the corpus", () => {
  const finished = fixtures.filter(({ turn }) => ["stop", "tool-use"].includes(turn.stopReason));
  test.each(finished.map((one) => [one.name, one] as const))(
    "%s: leaves byte for byte",
    async (_, one) => {
      const sent = textOf(one);
      const { text, report } = await ask({ chunks: [utf8(sent)] });
      expect(text).toBe(sent);
      expect(report).toMatchObject({ action: "passed", protocol: "gemini-interactions" });
    },
  );

  const withheld = fixtures.filter((one) => hasCall(one) && noted.has(one.turn.stopReason));
  test.each(withheld.map((one) => [one.name, one] as const))(
    "%s: ends without its call, with a note",
    async (_, one) => {
      const { text, report, status } = await ask({ chunks: [utf8(textOf(one))] });
      expect([status, report?.action]).toEqual([200, "ended"]);
      expect(text).not.toContain("function_call");
      expect(text).toContain("nothing of it ran");
      expect(text).toMatch(/"status":"(incomplete|requires_continuation)"/);
    },
  );

  const broken = fixtures.filter(
    (one) => hasCall(one) && ["interrupted", "error"].includes(one.turn.stopReason),
  );
  test.each(broken.map((one) => [one.name, one] as const))(
    "%s: becomes an error",
    async (_, one) => {
      const { text, report, status } = await ask({ chunks: [utf8(textOf(one))] });
      expect(report?.action).toBe("failed");
      expect(text).not.toContain("function_call");
      if (status === 200) expect(text).toContain('"event_type":"error"');
    },
  );
});

test("a reply that is cut at any byte gives no call out", async () => {
  for (const name of ["call", "parallel-calls", "search-and-call"]) {
    const one = named(name);
    const upToEnd = utf8(textOf({ ...one, frames: { upToTerminal: one.frames.upToTerminal } }));
    const end = upToEnd.length - "\n\n".length;
    const bytes = utf8(textOf(one));
    for (let at = 8; at < end; at += isFull ? 1 : 97) {
      const { text } = await ask({ chunks: [bytes.slice(0, at)] });
      expect(text, `${name}, cut at ${at}`).not.toContain("function_call");
    }
  }
});

describe("a conversation that the API keeps", () => {
  const cut = { chunks: [utf8(textOf(named("cap-in-call")))] };
  test("gets an error in place of a note, because the API keeps the call", async () => {
    for (const body of [{ store: undefined }, { store: true }]) {
      const { text, report, status } = await ask(cut, { body });
      expect(report?.action).toBe("failed");
      expect(text).not.toContain("function_call");
      expect(status === 200 ? text : "").not.toContain('"status":"incomplete"');
    }
  });

  test("is guarded when it is fetched again, too", async () => {
    const { report } = await ask(cut, { method: "GET", path: "/v1_ChdQ?stream=true" });
    expect(report).toMatchObject({ protocol: "gemini-interactions", action: "failed" });
  });
});

describe("a reply in one piece", () => {
  const { body = "" } = named("parallel-calls");
  const asked = { body: { stream: false } };

  test("leaves as it came if it is finished", async () => {
    expect(await ask({ headers: json, chunks: [utf8(body)] }, asked)).toMatchObject({
      text: body,
      report: { action: "passed" },
    });
  });

  test("has a note in place of its calls if it was cut", async () => {
    const cut = { ...JSON.parse(body), status: "incomplete" };
    const { text } = await ask({ headers: json, chunks: [utf8(JSON.stringify(cut))] }, asked);
    expect(text).not.toContain("function_call");
    expect(JSON.parse(text)).toMatchObject({
      status: "incomplete",
      steps: [{ type: "thought" }, { type: "model_output" }],
    });
  });
});

test("withheld calls are asked for once more, with the same input and a larger cap", async () => {
  const cut = { ...JSON.parse(named("call").body ?? ""), status: "incomplete" };
  const usage = { total_input_tokens: 9, total_output_tokens: 1024, total_tokens: 1033 };
  for (const input of ["One.", [{ type: "text", text: "Two." }]]) {
    const reply = { headers: json, chunks: [utf8(JSON.stringify({ ...cut, usage }))] };
    await ask(reply, { body: { input, stream: false }, reask: true });
    const sent = JSON.parse(server.requests.at(-1)?.body ?? "{}");
    expect(sent).toMatchObject({ input, generation_config: { max_output_tokens: 2048 } });
    expect(interactionsWire.violations(sent)).toEqual([]);
  }
});

test("Google's SDK reads what the guard writes: no call of a cut reply, and calls once", async () => {
  const client = new GoogleGenAI({
    vertexai: false,
    apiKey: "key",
    httpOptions: { baseUrl: server.url, apiVersion: "v1beta", fetch: guard() },
  });
  const read = async (fixture: Fixture) => {
    answer = { chunks: [utf8(textOf(fixture))] };
    const stream = await client.interactions.create({
      model: "gemini-3.8-flash",
      input: "Go.",
      store: false,
      stream: true,
      automatic_continuation: false,
      generation_config: { max_output_tokens: 1024 },
    });
    const seen: unknown[] = [];
    for await (const event of stream) {
      if (event.event_type === "step.start" && event.step.type === "function_call")
        seen.push(event.step.name);
      if (event.event_type === "interaction.completed") seen.push(event.interaction.status);
    }
    return seen;
  };
  expect(await read(named("cap-in-call"))).toEqual(["incomplete"]);
  expect(await read(named("parallel-calls"))).toEqual(["get_tide", "get_wind", "requires_action"]);
});
