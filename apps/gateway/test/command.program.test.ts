import { describe, expect, test } from "vitest";
import { start, startGateway } from "./command.ts";
import {
  ask,
  cutCall,
  cutReply,
  key,
  messagesRequest,
  replies,
  secretInput,
  sse,
  stream,
} from "./replies.ts";
import { openUpstream } from "./servers.ts";

const { finished, text, broken } = replies.anthropic;

describe("the command", () => {
  test("explains itself", async () => {
    using help = start(["--help"]);
    expect(await help.exitCode).toBe(0);
    expect(help.stdout()).toMatch(/--drain-seconds[\s\S]*Exit codes:[\s\S]*Examples:/);
  });
  test("prints what to set in the clients", async () => {
    using gateway = await startGateway([
      "--to=anthropic",
      "--to=openai",
      "--to=google",
      "--to=groq",
      "--to=local=http://127.0.0.1:8080,dialect=llamacpp",
    ]);
    expect(gateway.stderr()).toContain(`export ANTHROPIC_BASE_URL=${gateway.url}/anthropic\n`);
    expect(gateway.stderr()).toContain(`export OPENAI_BASE_URL=${gateway.url}/openai/v1\n`);
    expect(gateway.stderr()).toContain(`export GOOGLE_GEMINI_BASE_URL=${gateway.url}/google\n`);
    expect(gateway.stderr()).toContain(`${gateway.url}/groq/openai/v1\n`);
    expect(gateway.stderr()).toContain(`${gateway.url}/local/v1\n`);
    gateway.child.kill("SIGINT");
    expect(await gateway.exitCode).toBe(0);
    expect(gateway.stdout()).toBe("");
  });
  test.each([
    [[], /--to/],
    [["--to", "nothing"], /No address of "nothing" is known.*openai/],
    [["--to", "openai", "--to", "openai"], /named twice/],
    [["--to", "openai", "--port", "70000"], /from 0 to 65535/],
    [["--to", "openai", "--retry", "1"], /--retries/],
    [["--to", "openai", "more"], /too many arguments/],
  ])("refuses %j with exit code 2", async (args, sentence) => {
    using wrong = start(args);
    expect(await wrong.exitCode).toBe(2);
    expect(wrong.stderr()).toMatch(sentence);
    expect(wrong.stdout()).toBe("");
  });
  test.each([
    "up=http://user:password@127.0.0.1:9",
    "up=http://user:pass,password@127.0.0.1:9",
    "up=user:password@host",
    "http://user:password@127.0.0.1:9",
    "http://user:password@127.0.0.1:9=x",
    "up=http://127.0.0.1:9,dialect=user:password@host",
  ])("never prints the password of an upstream: %s", async (route) => {
    using wrong = start(["--to", route]);
    expect(await wrong.exitCode).toBe(2);
    expect(wrong.stderr()).toMatch(/^fullstop: /);
    expect(wrong.stderr() + wrong.stdout()).not.toContain("password@");
  });
  test("warns if others can use it, and has figures on another port", async () => {
    const open = ["--to=openai", "--host=0.0.0.0"];
    const closed = ["--token=a-token-of-this-gateway", "--admin-port=0"];
    using warned = await startGateway(open);
    using silent = await startGateway([...open, ...closed]);
    expect(warned.stderr()).toMatch(/Warning: everyone who can reach .*--token/);
    expect(silent.stderr()).not.toMatch(/Warning|a-token/);
    await expect.poll(silent.stderr).toMatch(/figures: http/);
    const [, figures = ""] = /figures: (\S+)\. /.exec(silent.stderr()) ?? [];
    expect(await (await fetch(figures)).text()).toContain("fullstop_active_requests 0");
    expect((await fetch(`${silent.url}/metrics`)).status).toBe(401);
    silent.child.kill("SIGTERM");
    expect(await silent.exitCode).toBe(0);
  });
  test.each([[], ["--withheld=fail"], ["--no-note"]])("tests its guard: %j", async (...args) => {
    using tested = start(["--self-test", ...args]);
    expect(await tested.exitCode).toBe(0);
    expect(tested.stdout().match(/: guarded/g)).toHaveLength(5);
    expect(tested.stdout()).toMatch(/The guard works/);
  });
  test("says which route is not guarded", async () => {
    using tested = start(["--self-test", "--to=openai", "--to=x=http://127.0.0.1:9,unguarded"]);
    expect(await tested.exitCode).toBe(1);
    expect(tested.stdout().match(/\/openai\S+: guarded/g)).toHaveLength(5);
    expect(tested.stdout().match(/\/x\S+: The call of a cut reply went out/g)).toHaveLength(5);
    expect(tested.stdout()).toMatch(/The guard does not work/);
  });
  test("ends with 2 if its port is in use", async () => {
    await using upstream = await openUpstream((response) => response.end());
    using gateway = start(["--to", "openai", "--port", new URL(upstream.url).port]);
    expect(await gateway.exitCode).toBe(2);
    expect(gateway.stderr()).toMatch(/^fullstop: The port is in use\. .*--port/);
  });
});

describe("the options of the guard", () => {
  const post = async (args: readonly string[], reply: string, path?: string): Promise<Response> => {
    await using upstream = await openUpstream(stream(reply));
    using gateway = await startGateway(["--to", `up=${upstream.url}`, ...args]);
    const response = await ask(gateway.url, path === undefined ? {} : { path });
    const { status, headers } = response;
    return new Response(await response.text().catch(() => "broken"), { status, headers });
  };
  test("--no-note, --withheld, --strict, facts", async () => {
    const [noted, bare, failed, strict, unguarded] = await Promise.all([
      post([], cutReply),
      post(["--no-note"], cutReply),
      post(["--withheld", "fail"], cutReply),
      post(["--strict"], finished, "/up/api/chat"),
      post(["--to", "x=http://127.0.0.1:9,unguarded"], cutReply),
    ]);
    expect(await noted.text()).toContain("held back write_file");
    expect(await bare.text()).not.toContain("held back");
    expect(await failed.text()).toBe("broken");
    expect([strict.status, await strict.text()]).toEqual([
      400,
      expect.stringContaining("/api/chat"),
    ]);
    expect(await unguarded.text()).not.toContain("tool_use");
  });
});

describe("a reply that was cut, and of which nothing was sent", () => {
  const endOf = async (first: string, ...args: readonly string[]): Promise<readonly unknown[]> => {
    const bodies = new Set<string>();
    await using upstream = await openUpstream((response, { body }) => {
      bodies.add(body);
      return stream(bodies.size > 1 ? finished : first)(response);
    });
    using gateway = await startGateway(["--to", `up=${upstream.url}`, ...args]);
    const text = await (await ask(gateway.url)).text();
    return [upstream.received.length, text === finished];
  };
  test("is requested once more, unless --no-reask says otherwise or a filter ended it", async () => {
    const refused = cutCall.replace('"max_tokens"', '"refusal"');
    expect(refused).not.toBe(cutCall);
    expect(await endOf(cutCall)).toEqual([2, true]);
    expect(await endOf(cutCall, "--no-reask")).toEqual([1, false]);
    expect(await endOf(refused)).toEqual([1, false]);
  });
});

describe("logs and metrics", () => {
  test("have the tool and the form of a call that the model wrote as text", async () => {
    const markup = String.raw`<invoke name=\"write_file\">\n</invoke>`;
    const leaked = finished
      .split("\n\n")
      .filter((frame) => !frame.includes('"index":1'))
      .join("\n\n")
      .replace("Writing.", markup)
      .replace('"tool_use"', '"end_turn"');
    await using upstream = await openUpstream(stream(leaked));
    using gateway = await startGateway([`--to=up=${upstream.url}`]);
    expect(await (await ask(gateway.url)).text()).toContain("invoke name=");
    await expect
      .poll(() => gateway.lines("reply"))
      .toMatchObject([
        { stopReason: "stop", action: "passed", leakedTool: "write_file", leakedForm: "invoke" },
      ]);
    expect(await (await fetch(`${gateway.url}/metrics`)).text()).toContain(
      'fullstop_leaked_calls_total{route="up",model="claude-sonnet-5-5",form="invoke"} 1',
    );
  });

  test("have what happened, and neither keys nor inputs", async () => {
    await using upstream = await openUpstream((response, { body }) =>
      stream(body.includes("cut") ? cutReply : finished)(response),
    );
    using gateway = await startGateway([`--to=up=${upstream.url}`, "--to=down=http://127.0.0.1:9"]);
    const cut = JSON.stringify({ ...messagesRequest, model: "cut" });
    await (await ask(gateway.url)).text();
    await (await ask(gateway.url, { path: `/up/v1/messages?key=${key}`, body: cut })).text();
    await (await ask(gateway.url, { path: `/up/api/chat?key=${key}` })).text();
    await (await ask(gateway.url, { path: `/down/v1/messages?key=${key}` })).text();
    await expect.poll(() => gateway.lines("request")).toHaveLength(4);
    const metrics = await (await fetch(`${gateway.url}/metrics`)).text();

    expect(gateway.lines("reply")).toMatchObject([
      {
        route: "up",
        protocol: "anthropic-messages",
        model: "claude-sonnet-5-5",
        requestId: "req_1",
        stopReason: "tool-use",
        nativeStop: "tool_use",
        action: "passed",
        status: 200,
        heldMs: expect.any(Number),
      },
      {
        model: "cut",
        stopReason: "length",
        nativeStop: "max_tokens",
        action: "ended",
        withheldReason: "stop-reason",
        withheldTools: ["write_file"],
      },
    ]);
    expect(gateway.lines("unguarded")).toMatchObject([{ route: "up", path: "/api/chat" }]);
    expect(gateway.lines("unreachable")).toMatchObject([{ route: "down" }]);
    expect(gateway.lines("request")[1]).toMatchObject({
      method: "POST",
      path: "/up/v1/messages",
      status: 200,
      end: "complete",
      requestId: "req_1",
    });
    expect(metrics).toContain(
      'fullstop_replies_total{protocol="anthropic-messages",route="up",model="cut",stop_reason="length",action="ended"} 1',
    );
    expect(metrics).toContain('fullstop_withheld_calls_total{reason="stop-reason"} 1');
    expect(metrics).toContain("fullstop_held_seconds_count 2");
    expect(metrics).toContain('fullstop_upstream_broken_total{route="down"} 1');
    for (const line of [
      "fullstop_active_requests 0",
      "fullstop_held_bytes 0",
      'fullstop_upstream_answers_total{route="up",status="200"} 3',
      'fullstop_upstream_first_byte_seconds_count{route="up"} 3',
      'fullstop_request_seconds_count{end="complete"} 4',
      'fullstop_tokens_total{route="up",model="cut",kind="input"} 12',
      'fullstop_tokens_total{route="up",model="cut",kind="output"} 1024',
    ])
      expect(metrics).toContain(`${line}\n`);
    const ids = ["reply", "request"].map((kind) =>
      gateway.lines(kind).map((line) => line["replyId"]),
    );
    expect(ids[1]?.slice(0, 2)).toEqual(ids[0]);
    for (const output of [gateway.stdout(), gateway.stderr(), metrics]) {
      expect(output).not.toContain(key);
      expect(output).not.toContain(secretInput);
    }
  });
  test("have the inputs with --log-inputs, and no key", async () => {
    await using upstream = await openUpstream(stream(finished));
    using gateway = await startGateway(["--to", `up=${upstream.url}`, "--log-inputs"]);
    await (await ask(gateway.url)).text();
    await expect.poll(() => gateway.lines("reply")).toHaveLength(1);
    expect(gateway.stdout()).toContain(secretInput);
    expect(gateway.stdout()).not.toContain(key);
  });
  test("count the hundred first models, and the others together", async () => {
    await using upstream = await openUpstream(stream(finished));
    using gateway = await startGateway(["--to", `up=${upstream.url}`]);
    for (let model = 0; model < 103; model++) {
      const body = JSON.stringify({ ...messagesRequest, model: `model-${model}` });
      await (await ask(gateway.url, { body })).text();
    }
    const metrics = await (await fetch(`${gateway.url}/metrics`)).text();
    expect(metrics.match(/fullstop_replies_total\{/g)).toHaveLength(101);
    expect(metrics).toMatch(/model="other"[^}]*\} 3\n/);
  });
  test("may lose their reader", async () => {
    await using upstream = await openUpstream(stream(finished));
    using gateway = await startGateway(["--to", `up=${upstream.url}`]);
    gateway.child.stdout?.destroy();
    for (let count = 0; count < 3; count++)
      expect(await (await ask(gateway.url)).text()).toBe(finished);
  });
});

describe("a signal", () => {
  /** A gateway with one reply that goes on until `finish` is called. */
  async function withStream(args: readonly string[]) {
    let finish = (): void => undefined;
    const upstream = await openUpstream((response) => {
      response.writeHead(200, sse).write(text);
      finish = () => void response.end(finished.slice(text.length));
    });
    const gateway = await startGateway(["--to", `up=${upstream.url}`, ...args]);
    const reply = await ask(gateway.url);
    return {
      upstream,
      gateway,
      body: reply.text().catch(() => "broken"),
      finish: () => finish(),
    };
  }
  test("lets running replies end and takes no new requests", async () => {
    const { upstream, gateway, body, finish } = await withStream([]);
    await using _ = upstream;
    using __ = gateway;
    gateway.child.kill("SIGTERM");
    await expect.poll(async () => (await fetch(`${gateway.url}/readyz`)).status).toBe(503);
    expect((await fetch(`${gateway.url}/healthz`)).status).toBe(200);
    const refused = await ask(gateway.url);
    expect([refused.status, refused.headers.get("connection")]).toEqual([503, "close"]);
    expect(gateway.stderr()).toMatch(/SIGTERM: waiting up to 30 s for the end of 1 /);
    finish();
    expect(await body).toBe(finished);
    expect(await gateway.exitCode).toBe(0);
  });
  test("cuts what has not ended after --drain-seconds, with exit code 1", async () => {
    const { upstream, gateway, body } = await withStream(["--drain-seconds", "0"]);
    await using _ = upstream;
    using __ = gateway;
    gateway.child.kill("SIGTERM");
    expect(await body).toBe("broken");
    expect(await gateway.exitCode).toBe(1);
    expect(gateway.stderr()).toMatch(/1 [a-z ]*cut/);
    await expect.poll(upstream.lost).toBe(1);
  });
  test("that comes twice ends the gateway at once", async () => {
    const { upstream, gateway, body } = await withStream([]);
    await using _ = upstream;
    using __ = gateway;
    gateway.child.kill("SIGINT");
    await expect.poll(gateway.stderr).toMatch(/SIGINT: waiting/);
    const again = setInterval(() => gateway.child.kill("SIGINT"), 100);
    expect(await gateway.exitCode).toBe(1);
    clearInterval(again);
    expect(await body).toBe("broken");
  });
  test("lets running replies end if no one reads what the gateway says", async () => {
    const { upstream, gateway, body, finish } = await withStream([]);
    await using _ = upstream;
    using __ = gateway;
    gateway.child.stderr?.destroy();
    gateway.child.kill("SIGTERM");
    await expect.poll(async () => (await fetch(`${gateway.url}/readyz`)).status).toBe(503);
    finish();
    expect(await body).toBe(finished);
    expect(await gateway.exitCode).toBe(0);
  });
  test("that npm passes on again lets running replies end", async () => {
    const { upstream, gateway, body, finish } = await withStream([]);
    await using _ = upstream;
    using __ = gateway;
    gateway.child.kill("SIGINT");
    gateway.child.kill("SIGTERM");
    await expect.poll(gateway.stderr).toMatch(/SIG(?:INT|TERM): waiting/);
    finish();
    expect(await body).toBe(finished);
    expect(await gateway.exitCode).toBe(0);
  });
  test("ends an idle gateway, also one whose upstream kept a connection", async () => {
    await using upstream = await openUpstream(stream(broken));
    using gateway = await startGateway(["--to", `up=${upstream.url}`]);
    await (await ask(gateway.url)).text().catch(() => undefined);
    gateway.child.kill("SIGTERM");
    expect(await gateway.exitCode).toBe(0);
  });
});
