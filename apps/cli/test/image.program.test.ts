import { once } from "node:events";
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { start } from "./fullstop.ts";

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), "utf8");
const manifest = JSON.parse(read("package.json"));
const dockerfile = read("Dockerfile");
const instructions = (name: string): readonly string[] =>
  [...dockerfile.matchAll(new RegExp(`^${name} (.+(?:\\\\\\n.+)*)`, "gm"))].map(
    ([, text = ""]) => text,
  );

describe("the Dockerfile", () => {
  test("copies nothing, and installs this package", () => {
    expect(instructions("(?:COPY|ADD)")).toEqual([]);
    expect(instructions("RUN").join()).toContain(manifest.name);
    expect(manifest.files).toContain("Dockerfile");
  });
  test("uses a Node that the package supports, and not as root", () => {
    const [, version = "0"] = /^node:(\d+)/.exec(instructions("FROM")[0] ?? "") ?? [];
    expect(Number(version)).toBeGreaterThanOrEqual(Number(/\d+/.exec(manifest.engines.node)?.[0]));
    expect(instructions("USER")).toEqual(["node"]);
  });
  test("starts the command of the package with arguments that it takes", async () => {
    const [command, ...fixed] = JSON.parse(instructions("ENTRYPOINT")[0] ?? "[]");
    expect(Object.keys(manifest.bin)).toEqual([command]);
    using gateway = start([
      ...fixed,
      ...JSON.parse(instructions("CMD").at(-1) ?? "[]"),
      "--port",
      "0",
    ]);
    let printed = "";
    gateway.child.stderr?.on("data", (piece: Buffer) => {
      printed += String(piece);
    });
    while (!printed.includes("listens on"))
      await Promise.race([once(gateway.child.stderr ?? gateway.child, "data"), gateway.ended]);
    gateway.child.kill("SIGTERM");
    expect(await gateway.ended).toMatchObject({ code: 0 });
  });
  test("asks a path that exists whether the gateway lives", () => {
    expect(dockerfile).toMatch(/HEALTHCHECK[\s\S]*http:\/\/127\.0\.0\.1:4141\/healthz/);
    expect(instructions("EXPOSE")).toEqual(["4141"]);
  });
});
