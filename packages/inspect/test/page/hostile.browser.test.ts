import { phone, startBrowser } from "@tooling/test/browser";
import { expect, test } from "vitest";
import { attack, recordHostile, recordLarge } from "./hostile.ts";
import { expectNoOverflow, openRecordingPage } from "./open-page.ts";

const browser = await startBrowser();
/** It takes 17 seconds on two cores that are busy. */
const slow = { timeout: 300_000 };

test("a hostile recording is shown as text, and runs nothing", async () => {
  const { page, problems } = await openRecordingPage(browser, await recordHostile(), {
    viewport: phone,
  });
  const rows = await page.locator(".outline-row").count();
  expect(rows).toBeGreaterThanOrEqual(5);
  for (let index = 0; index < rows; index += 1) {
    await page.locator(".outline-row").nth(index).click();
    await page.evaluate(() => {
      for (const fold of document.querySelectorAll<HTMLDetailsElement>(".pane details"))
        fold.open = true;
    });
    await expectNoOverflow(page);
    await page.keyboard.press("Escape");
  }
  await page.locator(".outline-row.reply").first().click();
  const reply = page.getByLabel("Text", { exact: true }).last();
  await expect.poll(() => reply.textContent()).toContain(attack);
  const text = await reply.textContent();
  for (const mark of ["‹U+001B›", "‹U+202E›", "‹U+200B›", "‹U+0000›", "‹U+2028›", "‹U+FEFF›"])
    expect(text).toContain(mark);
  expect(text).toContain("‹U+E0041›");
  expect(text).toContain("‹U+D800›");
  const shown = await page.evaluate(() => document.querySelector(".page")?.textContent ?? "");
  expect(shown).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}](?<![\n\t])/u);
  await expect.poll(() => page.evaluate(() => "wasRun" in globalThis)).toBe(false);
  await expect.poll(() => page.locator("img, iframe, object, embed").count()).toBe(0);
  expect(problems).toEqual([]);
});

test(
  "an input of 10 MB in 25,000 frames is shortened, and shown whole on demand",
  slow,
  async () => {
    const text = await recordLarge(25_000, 10_000_000);
    const { page, problems } = await openRecordingPage(browser, text, {
      hash: "reply-run-1-turn-1-reply-1",
    });
    const nodes = () => page.evaluate(() => document.querySelectorAll("*").length);
    await expect.poll(nodes).toBeLessThan(1500);
    await expect.poll(() => page.getByText("25,000 frames").isVisible()).toBe(true);
    const arrived = page.getByRole("figure", { name: /What arrived for write_file/ });
    const length = () => arrived.first().evaluate((box) => box.textContent.length);
    await expect.poll(length).toBeLessThan(10_000);
    await page.getByRole("button", { name: "Show all 10.0 MB" }).first().click();
    await expect.poll(length).toBe(10_000_000);
    await expect.poll(nodes).toBeLessThan(2500);
    expect(problems).toEqual([]);
  },
);
