import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { start, startGateway } from "./command.ts";
import { ask, cutReply, replies, sse, stream } from "./replies.ts";
import { openUpstream } from "./servers.ts";

const { finished, text } = replies.anthropic;

/** A file that is removed after the test. */
function openFile(content: unknown) {
  const folder = mkdtempSync(join(tmpdir(), "fullstop-gateway-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "gateway.json");
  const write = (next: unknown): void =>
    writeFileSync(path, typeof next === "string" ? next : JSON.stringify(next));
  write(content);
  return { path, write };
}

describe("a configuration file", () => {
  test("has the options of the command, which count where both say something", async () => {
    await using upstream = await openUpstream(stream(cutReply));
    const { path } = openFile({
      to: [`up=${upstream.url},withheld=fail`, `usual=${upstream.url}`],
      strict: false,
      note: false,
      "max-active": 7,
      "max-body": "1",
      token: "a-token-of-the-file",
    });
    using gateway = await startGateway(["--config", path, "--token=a-token-of-this-gateway"]);
    const headers = { "x-fullstop-token": "a-token-of-this-gateway" };
    const usual = await (await ask(gateway.url, { path: "/usual/v1/messages", headers })).text();
    expect(usual).toContain("max_tokens");
    expect(usual).not.toContain("held back");
    await expect((await ask(gateway.url, { headers })).text()).rejects.toThrow(/terminated/);
    const large = await ask(gateway.url, { headers, body: "x".repeat(1024 * 1024 + 1) });
    expect(large.status).toBe(413);
    expect((await ask(gateway.url)).status).toBe(401);
  });
  test.each([
    ["{", /must hold one JSON object, and it is not JSON at line 1, column 2\./],
    ['{\n  "to": openai\n}', /not JSON at line 2, column 9\./],
    ['{\n  "to": "openai"\n  "port": 1\n}', /not JSON at line 3, column 3\./],
    ['{ "to": "openai" } }', /not JSON at line 1, column 20\./],
    ["", /not JSON at line 1, column 1\./],
    ["[]", /must hold one JSON object/],
    [{ port: 8081 }, /name at least one upstream/],
    [{ to: "openai", retry: 1 }, /"retry" in .* is not an option/],
    [{ to: "openai", "--port": 1 }, /"--port" in .* is not an option/],
    [{ to: "openai", config: "other.json" }, /"config" in .* is not an option/],
    [{ to: "openai", "no-note": true }, /"no-note" in .* is not an option/],
    [{ to: "openai", strict: "yes" }, /"strict" in .* must be true or false/],
    [{ to: "openai", port: 70_000 }, /--port.*from 0 to 65535/],
    [{ to: "openai", port: null }, /"port" in .* must be a text/],
    [{ to: ["openai", "openai"] }, /named twice/],
  ])("%j is refused with exit code 2", async (content, sentence) => {
    using wrong = start(["--config", openFile(content).path]);
    expect(await wrong.exitCode).toBe(2);
    expect(wrong.stderr()).toMatch(sentence);
  });
  test("that does not exist is named, and one that cannot be read shows nothing of it", async () => {
    using missing = start(["--config", "/nowhere/gateway.json"]);
    using broken = start(["--config", openFile('{"token":"a-secret-token-of-the-file",').path]);
    expect([await missing.exitCode, await broken.exitCode]).toEqual([2, 2]);
    expect(missing.stderr()).toMatch(/\/nowhere\/gateway.json does not exist/);
    expect(broken.stderr()).not.toContain("a-secret");
  });
});

test.skipIf(process.platform === "win32")(
  "SIGHUP reads the file again, and a running reply ends as it began",
  async () => {
    let finish = (): void => undefined;
    await using upstream = await openUpstream((response, { body }) => {
      if (body.includes("cut")) return stream(cutReply)(response);
      response.writeHead(200, sse).write(text);
      finish = () => void response.end(finished.slice(text.length));
    });
    const { url } = upstream;
    const file = openFile({ to: `up=${url}` });
    using gateway = await startGateway(["--config", file.path, "--keep-alive=0"]);
    const cut = { body: JSON.stringify({ model: "cut", messages: [] }) };
    const running = await ask(gateway.url);
    const reload = async (next: unknown): Promise<object | undefined> => {
      const count = gateway.lines("reload").length;
      file.write(next);
      gateway.child.kill("SIGHUP");
      await expect.poll(() => gateway.lines("reload").length).toBe(count + 1);
      return gateway.lines("reload").at(-1);
    };

    const changed = await reload({
      to: [`new=${url}`, `up=${url},withheld=fail`],
      "max-active": 9,
    });
    expect(changed).toMatchObject({ routes: ["new", "up"], needsRestart: ["--max-active"] });
    await expect((await ask(gateway.url, cut)).text()).rejects.toThrow(/terminated/);
    const added = await ask(gateway.url, { ...cut, path: "/new/v1/messages" });
    expect(await added.text()).toContain("max_tokens");

    const refused = await reload({ to: "nothing" });
    expect(refused).toMatchObject({
      routes: ["new", "up"],
      error: expect.stringContaining("nothing"),
    });
    const kept = await ask(gateway.url, { ...cut, path: "/new/v1/messages" });
    expect(await kept.text()).toContain("max_tokens");

    await reload({ to: `new=${url}` });
    finish();
    expect(await running.text()).toBe(finished);
    await expect.poll(() => gateway.lines("request")).toHaveLength(4);
    gateway.child.kill("SIGTERM");
    expect(await gateway.exitCode).toBe(0);
  },
);
