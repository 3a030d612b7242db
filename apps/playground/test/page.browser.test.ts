import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { builtinSubject, recordingsIn, replay } from "@fullstop/conformance/replay";
import { desktop, expectNoOverflow, type Page, phone, startBrowser } from "@tooling/test/browser";
import axe from "axe-core";
import { expect, onTestFinished, test } from "vitest";
import { pageContent } from "../src/build/content.ts";
import { cutAt, openPlayground, pageText } from "./open-page.ts";

const browser = await startBrowser();
const content = pageContent();
const textOf = (id: string): string => content.replies.find((reply) => reply.id === id)?.text ?? "";

test("the page opens at a cut that only a repair would run", async () => {
  const { page, problems } = await openPlayground(browser);
  await expect.poll(() => page.locator(".loop.wrong").count()).toBe(1);
  await expect.poll(() => page.locator(".loop.gate").textContent()).toContain("Runs nothing");
  await expect.poll(() => page.locator(".loop.repairs .run").textContent()).toContain("rm -rf ~");
  await expect.poll(() => page.locator(".rule.decisive .rule-name").textContent()).toBe("ended");
  await expect.poll(() => page.locator(".clause").textContent()).toContain("stop.cut");
  expect(problems).toEqual([]);
});

test("a cut that a gateway relabels is withheld, and the three small loops run it", async () => {
  const { page } = await openPlayground(browser, { hash: "r=story/relabelled" });
  await expect.poll(() => page.locator(".loop.wrong").count()).toBe(3);
  await expect.poll(() => page.locator(".rule.decisive .rule-name").textContent()).toBe("belowCap");
  await page.getByRole("spinbutton", { name: "Output cap" }).fill("4096");
  await expect.poll(() => page.locator(".loop.gate .run").textContent()).toContain("rm -rf ~/");
  await expect.poll(() => page.locator(".loop.wrong").count()).toBe(0);
});

test("each change of the reply changes the verdict", async () => {
  const { page } = await openPlayground(browser, { hash: "r=story/finished" });
  const decisive = () => page.locator(".stop .fact:last-child code").textContent();
  await expect.poll(decisive).toBe("tool-use");
  await page.getByRole("combobox", { name: "Stop reason" }).fill("max_tokens");
  // The reply used less than half of its cap, so the window is full.
  await expect.poll(decisive).toBe("context-window");
  await page.getByRole("combobox", { name: "Stop reason" }).fill("no_such_word");
  await expect.poll(decisive).toBe("unknown");
  await page.getByRole("button", { name: "Undo the changes" }).click();
  await page.getByRole("spinbutton", { name: "Usage" }).fill("240");
  await expect.poll(decisive).toBe("length");
  await page.getByRole("button", { name: "Undo the changes" }).click();
  await page.getByLabel("Drop the end").check();
  await expect.poll(decisive).toBe("interrupted");
  await page.getByLabel("Add a second reply").check();
  await expect.poll(decisive).toBe("interrupted");
  await page.getByRole("button", { name: "Undo the changes" }).click();
  await page.getByLabel("Send the first call twice").check();
  await expect.poll(decisive).toBe("tool-use");
  await expect.poll(() => page.locator(".loop.gate .run").count()).toBe(1);
});

test("a hostile reply that is pasted is text, and runs nothing", async () => {
  const attack = '<img src=x onerror="globalThis.wasRun=1"><script>globalThis.wasRun=1</script>';
  const reply = {
    id: attack,
    object: "chat.completion",
    model: "m",
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content: `${attack}\u202e\u0000`,
          tool_calls: [
            {
              id: attack,
              type: "function",
              function: { name: attack, arguments: JSON.stringify({ [attack]: attack }) },
            },
          ],
        },
        finish_reason: attack,
      },
    ],
  };
  const { page, problems } = await openPlayground(browser, { viewport: phone });
  await page.getByRole("button", { name: "Paste a reply" }).click();
  await page.getByLabel("The reply", { exact: true }).last().fill(JSON.stringify(reply));
  await page.getByRole("button", { name: "Use this reply" }).click();
  await expect.poll(() => page.locator(".tape-text").textContent()).toContain("onerror");
  await expect.poll(() => page.locator(".arrivals").textContent()).toContain(attack);
  await expect.poll(() => page.locator(".arrivals").textContent()).toContain("‹U+202E›");
  await expect.poll(() => page.evaluate(() => location.hash)).toMatch(/[#&]t=/);
  const { page: again, problems: later } = await openPlayground(browser, {
    hash: await page.evaluate(() => location.hash.slice(1)),
  });
  await expect.poll(() => again.locator(".arrivals").textContent()).toContain(attack);
  for (const one of [page, again]) {
    await expect.poll(() => one.evaluate(() => "wasRun" in globalThis)).toBe(false);
    await expect.poll(() => one.locator("img, iframe, object, embed").count()).toBe(0);
  }
  await expectNoOverflow(page);
  expect([...problems, ...later]).toEqual([]);
});

test("a link restores everything", async () => {
  const { page } = await openPlayground(browser, { hash: "r=openai-chat/parallel-calls" });
  await page.getByRole("combobox", { name: "Stop reason" }).fill("length");
  await page.getByRole("spinbutton", { name: "Usage" }).fill("77");
  await page.getByRole("spinbutton", { name: "Output cap" }).fill("78");
  await page.getByLabel("Send the first call twice").check();
  await page.getByLabel("Add a second reply").check();
  await cutAt(page, 3210);
  await expect.poll(() => page.evaluate(() => location.hash)).toContain("at=3210");
  const hash = await page.evaluate(() => location.hash.slice(1));
  const { page: other } = await openPlayground(browser, { hash });
  const shown = (one: typeof page) => one.locator("main").textContent();
  await expect.poll(() => shown(other)).toBe(await shown(page));
  const fields = (one: typeof page) =>
    one
      .locator("main input, main select")
      .evaluateAll((all) =>
        all.map((field) => [
          (field as HTMLInputElement).value,
          (field as HTMLInputElement).checked,
        ]),
      );
  expect(await fields(other)).toEqual(await fields(page));
  expect(await other.evaluate(() => location.hash.slice(1))).toBe(hash);
});

test("keys are enough: paste, cut, step by events, change", async () => {
  const { page } = await openPlayground(browser);
  const focused = () => page.evaluate(() => document.activeElement?.textContent ?? "");
  const tabTo = async (wanted: () => Promise<boolean>): Promise<void> => {
    for (let count = 0; count < 60 && !(await wanted()); count += 1)
      await page.keyboard.press("Tab");
    expect(await wanted()).toBe(true);
  };
  await tabTo(async () => (await focused()) === "Paste a reply");
  await page.keyboard.press("Enter");
  await tabTo(() => page.evaluate(() => document.activeElement?.tagName === "TEXTAREA"));
  await page.keyboard.insertText(textOf("openai-chat/parallel-calls"));
  await tabTo(async () => (await focused()) === "Use this reply");
  await page.keyboard.press("Enter");
  await expect.poll(() => page.getByLabel("Protocol").inputValue()).toBe("openai-chat");
  await tabTo(() => page.evaluate(() => document.activeElement?.id === "cut"));
  await page.keyboard.press("ArrowLeft");
  const { length } = new TextEncoder().encode(textOf("openai-chat/parallel-calls"));
  await page.locator(`.results[data-cut="${length - 1}"]`).waitFor();
  await page.keyboard.press("Home");
  await page.locator('.results[data-cut="0"]').waitFor();
  await page.keyboard.press("Shift+Tab");
  expect(await focused()).toContain("after");
  await page.keyboard.press("Enter");
  const first = textOf("openai-chat/parallel-calls").indexOf("\n\n") + 2;
  await page.locator(`.results[data-cut="${first}"]`).waitFor();
});

/** Follows a link inside of the page. */
async function openState(page: Page, hash: string): Promise<void> {
  await page.evaluate((next) => {
    location.hash = next;
  }, hash);
  const wanted = new URLSearchParams(hash.slice(1)).get("r") ?? "";
  await expect.poll(() => page.locator(".reply-choice select").inputValue()).toBe(wanted);
}

const states = [
  "#r=story/relabelled",
  "#r=story/finished",
  "#r=openai-responses/parallel-calls&at=6000",
  "#r=gemini/text&second",
  "#r=anthropic/parallel-calls.json&stop=refusal",
];
test("nothing overflows at 360 pixels", async () => {
  const { page } = await openPlayground(browser, { viewport: phone });
  for (const hash of states) {
    await openState(page, hash);
    await expectNoOverflow(page);
  }
});

const describe = ({ id, nodes }: axe.Result): string =>
  `${id}: ${nodes.map(({ html }) => html).join(" ")}`;

test.each([
  ["light", desktop],
  ["dark", phone],
] as const)("axe finds nothing wrong in %s", async (colorScheme, viewport) => {
  const { page } = await openPlayground(browser, { colorScheme, viewport });
  await page.evaluate(axe.source);
  for (const hash of states) {
    await openState(page, hash);
    const { violations } = await page.evaluate<axe.AxeResults>("axe.run()");
    expect(violations.map(describe)).toEqual([]);
  }
});

test("a screen reader hears the cut and what would run", async () => {
  const { page } = await openPlayground(browser, { hash: "r=story/relabelled" });
  await expect
    .poll(() => page.locator("#cut").getAttribute("aria-valuetext"))
    .toBe(
      "1,835 of 1,835 bytes. The gate runs nothing (length); these run some: Runs calls at once, Repairs JSON, Looks only at the stop reason.",
    );
  await expect
    .poll(() => page.getByRole("status").textContent())
    .toContain("The gate runs nothing");
});

test("a saved fixture is one that the suite reads", async () => {
  const { page } = await openPlayground(browser, {
    hash: "r=anthropic/parallel-calls&stop=max_tokens",
  });
  const folder = mkdtempSync(join(tmpdir(), "fixture-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  await page.getByRole("button", { name: "Save as a fixture" }).click();
  await page.getByLabel("Name of the files").fill("from-page");
  for (const name of ["from-page.sse", "from-page.turn.json"]) {
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: `Download ${name}` }).click(),
    ]);
    expect(download.suggestedFilename()).toBe(name);
    await download.saveAs(join(folder, name));
  }
  const bytes = readFileSync(join(folder, "from-page.sse"), "utf8");
  expect(bytes).toBe(
    textOf("anthropic/parallel-calls").replace(
      '"stop_reason":"tool_use"',
      '"stop_reason":"max_tokens"',
    ),
  );
  const subject = await builtinSubject("anthropic", import.meta.dirname);
  const { verdicts } = await replay(subject, await recordingsIn(folder, subject.wire));
  const found = [];
  for await (const verdict of verdicts({ only: "replay.turn" })) found.push(verdict.status);
  expect(found).toEqual(["kept"]);
});

test("the page has at most 200 kB, gzipped", async () => {
  expect(gzipSync(await pageText()).length).toBeLessThanOrEqual(200_000);
});
