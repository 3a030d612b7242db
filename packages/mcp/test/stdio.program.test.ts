import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { expect, test } from "vitest";
import { mcpTools } from "../src/index.ts";
import { callOnce, runTools } from "./run-tools.ts";

const require = createRequire(import.meta.url);
const everything = join(
  dirname(require.resolve("@modelcontextprotocol/server-everything/package.json")),
  "dist/index.js",
);
const processOf = (...args: readonly string[]) => ({
  command: process.execPath,
  args: [...args],
  stderr: "ignore" as const,
});
const modernFile = fileURLToPath(new URL("stdio-server.ts", import.meta.url));

test("the reference server, a process of the protocol of 2025", async () => {
  const mcp = await mcpTools(
    [{ name: "all", transport: () => new StdioClientTransport(processOf(everything, "stdio")) }],
    { elicit: () => ({ action: "decline" }) },
  );
  try {
    const names = mcp.tools.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(["all__echo", "all__get-tiny-image"]));
    const calls = [
      { name: "all__echo", input: { message: "Hello." } },
      { name: "all__get-sum", input: { a: 2, b: 3 } },
      { name: "all__get-tiny-image", input: {} },
      { name: "all__get-structured-content", input: { location: "Chicago" } },
      { name: "all__get-resource-links", input: { count: 2 } },
      { name: "all__trigger-long-running-operation", input: { duration: 0.2, steps: 2 } },
      { name: "all__trigger-elicitation-request", input: {} },
    ];
    const { results, events } = await runTools(mcp, [{ calls }, "Done."]);
    const said = Object.fromEntries(results.map(({ result }) => [result.name, result]));
    expect(results.filter(({ result }) => result.isError)).toEqual([]);
    expect(said["all__echo"]?.content).toEqual([{ type: "text", text: "Echo: Hello." }]);
    expect(JSON.stringify(said["all__get-sum"]?.content)).toContain("5");
    expect(said["all__get-tiny-image"]?.content).toContainEqual(
      expect.objectContaining({ type: "image", mediaType: "image/png" }),
    );
    expect(JSON.stringify(said["all__get-structured-content"]?.content)).toContain("temperature");
    expect(JSON.stringify(said["all__get-resource-links"]?.content)).toContain(
      "Link to the resource",
    );
    expect(JSON.stringify(said["all__trigger-elicitation-request"]?.content)).toContain("decline");
    expect(events.filter(({ type }) => type === "tool-progress").length).toBeGreaterThan(0);
  } finally {
    await mcp.close();
  }
});

test("a process of the protocol of 2026: it is killed in a call, and the next call starts another", async () => {
  const folder = mkdtempSync(join(tmpdir(), "fullstop-mcp-"));
  const file = join(folder, "effects");
  const started: StdioClientTransport[] = [];
  const mcp = await mcpTools(
    [
      {
        name: "shop",
        transport: () => {
          const transport = new StdioClientTransport(processOf(modernFile, file));
          started.push(transport);
          return transport;
        },
      },
    ],
    { elicit: () => ({ action: "accept" }) },
  );
  try {
    const [pay, era] = ["shop__pay", "shop__era"].map((name) => callOnce(name)[0] as never);
    const { results } = await runTools(mcp, [pay as never, era as never, "Done."]);
    expect(results.map(({ inDoubt }) => inDoubt)).toEqual([true, undefined]);
    expect(results[1]?.result.content).toEqual([{ type: "text", text: "answered" }]);
    expect(readFileSync(file, "utf8")).toBe("paid\n");
    expect(started.length).toBe(2);
  } finally {
    await mcp.close();
    rmSync(folder, { recursive: true });
  }
});
