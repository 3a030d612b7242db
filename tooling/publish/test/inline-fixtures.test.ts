import { rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { wires } from "@fullstop/conformance/wires";
import { rolldown } from "rolldown";
import { afterAll, expect, test } from "vitest";
import { inlineFixtures } from "../src/pack/inline-fixtures.ts";

const suite = fileURLToPath(new URL("../../../packages/conformance/", import.meta.url));
const folder = await mkdtemp(join(tmpdir(), "bundle-"));
afterAll(() => rmSync(folder, { recursive: true }));

test("a bundle of the wires has their fixtures, and needs no file system", async () => {
  const build = await rolldown({
    input: join(suite, "src/wires/index.ts"),
    platform: "neutral",
    external: /^(node:|@fullstop\/)/,
    plugins: [inlineFixtures(join(suite, "fixtures"))],
  });
  const file = join(folder, "wires.mjs");
  const { output } = await build.write({ file });
  await build.close();
  expect(output.flatMap((one) => (one.type === "chunk" ? one.imports : []))).not.toContain(
    "node:fs",
  );
  const bundled = (await import(file)) as { readonly wires: typeof wires };
  for (const name of Object.keys(wires) as (keyof typeof wires)[])
    expect(bundled.wires[name].fixtures).toEqual(wires[name].fixtures);
});
