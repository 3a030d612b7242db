import { mock } from "@fullstop/provider-mock";
import { growthOf, pumped, pumps } from "@tooling/test/growth";
import { expect, test } from "vitest";
import { recorded } from "./recorded.ts";
import { toolNamed } from "./recorded-tools.ts";

/** A secret that goes on until the text says otherwise. */
const open = '{"token": "';

test.each(pumps)("a recording of %j costs in proportion to its length", async (pump) => {
  const echo = toolNamed("echo", ({ said }: { readonly said?: string }) => said ?? "");
  const growth = await growthOf(async (length) => {
    const said = pumped(pump, length);
    const thinking = `${open}${said}`;
    const adapter = mock([
      { thinking, text: said, calls: [{ name: "echo", input: { said } }] },
      said,
    ]);
    await recorded({ adapter, prompt: thinking, tools: [echo] });
  });
  expect(growth).toBe("linear");
});
