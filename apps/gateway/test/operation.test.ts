import { type GatewayObserver, parseRoute } from "@fullstop/gateway";
import { describe, expect, test } from "vitest";
import { ask, breakAfter, brokenCall, cutCall, cutReply, replies, stream } from "./replies.ts";
import { openFront, openGateway, openUpstream } from "./servers.ts";

const { finished } = replies.anthropic;
const idHeader = "x-fullstop-reply-id";
const anyId = expect.stringMatching(/^[\da-f]{8}-[\da-f-]{27}$/);

describe("the id of a reply", () => {
  test.each([
    ["finished", stream(finished), 200],
    ["withheld", stream(cutReply), 200],
    ["broken", breakAfter(brokenCall, "fin"), 502],
  ])("that is %s is in its header, its report and its answer", async (_, answer, status) => {
    await using upstream = await openUpstream(answer);
    const ids: string[] = [];
    await using gateway = await openFront(upstream, {
      onReply: (_route, { replyId }) => void ids.push(replyId),
    });
    const reply = await ask(gateway.url);
    await reply.text();
    const id = reply.headers.get(idHeader);
    expect([reply.status, id]).toEqual([status, anyId]);
    expect(ids).toEqual([id]);
    await expect.poll(() => gateway.answers).toMatchObject([{ replyId: id }]);
  });
  test("is another one for each reply, also for one that is not guarded or not answered", async () => {
    await using upstream = await openUpstream((response) => response.writeHead(429).end("{}"));
    await using gateway = await openFront(upstream);
    const paths = ["/up/v1/messages", "/up/v1/models", "/nowhere", "/other/v1/messages"];
    for (const path of paths) await (await ask(gateway.url, { path })).text();
    await expect.poll(() => gateway.answers).toHaveLength(paths.length);
    const ids = gateway.answers.map(({ replyId }) => replyId);
    expect(ids).toEqual(paths.map(() => anyId));
    expect(new Set(ids).size).toBe(paths.length);
  });
});

test("`traceparent` and `tracestate` go to the upstream as they came", async () => {
  await using upstream = await openUpstream(stream(finished));
  await using gateway = await openFront(upstream);
  const trace = {
    traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
    tracestate: "vendor=value",
  };
  await (await ask(gateway.url, { headers: trace })).text();
  expect(upstream.received).toMatchObject([{ headers: trace }]);
});

test("an observer learns the status of the upstream, and when its reply began", async () => {
  await using upstream = await openUpstream((response) => response.writeHead(529).end("{}"));
  const seen: Parameters<NonNullable<GatewayObserver["onUpstream"]>>[] = [];
  await using gateway = await openFront(upstream, { onUpstream: (...one) => void seen.push(one) });
  await (await ask(gateway.url)).text();
  expect(seen).toEqual([["up", { status: 529, headMs: expect.any(Number) }]]);
});

describe("a route with options of its own", () => {
  test("guards its replies as they say, and the others as before", async () => {
    await using upstream = await openUpstream(stream(cutReply));
    const { url } = upstream;
    const routes = Object.fromEntries([
      parseRoute(`strict=${url},strict,withheld=fail`),
      parseRoute(`usual=${url}`),
      parseRoute(`open=${url},strict=off,withheld=end`),
    ]);
    await using gateway = await openGateway({ routes });
    await using strict = await openGateway({ routes, guard: { strict: true, withheld: "fail" } });
    const endOf = async (base: string, route: string): Promise<string> => {
      const unknown = await ask(base, { path: `/${route}/api/chat` });
      const reply = await ask(base, { path: `/${route}/v1/messages` });
      const text = await reply.text().catch(() => "broken");
      return `${unknown.status} ${text === "broken" ? "broken" : "ended"}`;
    };
    expect(await endOf(gateway.url, "strict")).toBe("400 broken");
    expect(await endOf(gateway.url, "usual")).toBe("200 ended");
    expect(await endOf(gateway.url, "open")).toBe("200 ended");
    expect(await endOf(strict.url, "usual")).toBe("400 broken");
    expect(await endOf(strict.url, "open")).toBe("200 ended");
  });
  test("asks the model again, alone", async () => {
    await using upstream = await openUpstream((response, { body }) =>
      stream(body.includes('"max_tokens":2048') ? finished : cutCall)(response),
    );
    const { url } = upstream;
    await using gateway = await openGateway({
      routes: Object.fromEntries([parseRoute(`again=${url},reask`), parseRoute(`up=${url}`)]),
    });
    const again = await ask(gateway.url, { path: "/again/v1/messages" });
    expect(await again.text()).toBe(finished);
    expect(await (await ask(gateway.url)).text()).not.toContain("tool_use");
  });
});
