import { readFileSync } from "node:fs";
import { type Page, phone, startBrowser } from "@tooling/test/browser";
import axe from "axe-core";
import { beforeAll, expect, test } from "vitest";
import { anchorOf, expectNoOverflow, openRecordingPage } from "./open-page.ts";
import { recordLong, recordStory } from "./recordings.ts";

const browser = await startBrowser();
/** They take 12 seconds on two cores that are busy. */
const slow = { timeout: 300_000 };
let story = "";
beforeAll(async () => {
  ({ text: story } = await recordStory());
});

const titles = (page: Page) => page.locator(".outline-row .outline-title").allTextContents();

test("the list is searched and filtered", async () => {
  const { page } = await openRecordingPage(browser, story);
  await page.getByRole("button", { name: /^Withheld/ }).click();
  await expect.poll(() => titles(page)).toEqual(["Turn 1"]);
  await page.getByRole("button", { name: /^In doubt/ }).click();
  await expect.poll(() => titles(page)).toEqual(["Run order-A-7", "refund"]);
  await page.getByRole("button", { name: /^Failed/ }).click();
  await expect.poll(() => titles(page)).toEqual(["read_file"]);
  await page.getByRole("button", { name: /^All/ }).click();
  await expect.poll(() => titles(page)).toHaveLength(9);
  const search = page.getByRole("searchbox");
  await search.fill("missing does EXIST");
  await expect.poll(() => titles(page)).toEqual(["read_file"]);
  await search.fill("toolu_01");
  await expect.poll(() => titles(page)).toEqual(["Turn 1"]);
  await search.fill("a text that does not occur");
  await expect.poll(() => page.getByText("Nothing here matches.").isVisible()).toBe(true);
});

test("everything can be reached by keys", async () => {
  const { page } = await openRecordingPage(browser, story);
  const current = () => page.locator('.outline [aria-current="true"] .outline-title').textContent();
  await page.keyboard.press("j");
  await expect.poll(current).toBe("Turn 1");
  await page.keyboard.press("j");
  await expect.poll(current).toBe("Turn 1, request 2");
  await page.keyboard.press("k");
  await expect.poll(current).toBe("Turn 1");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await expect.poll(current).toBe("write_file");
  await page.keyboard.press("Escape");
  await expect.poll(() => focused(page)).toContain("outline-row");
  await page.keyboard.press("Enter");
  await expect.poll(() => focused(page)).toContain("H2");
  await expect.poll(() => page.locator("h2").first().textContent()).toBe("Call of write_file");
  await page.keyboard.press("/");
  await expect.poll(() => focused(page)).toContain("INPUT");
  await page.keyboard.type("refund j");
  await page.keyboard.press("Escape");
  await page.keyboard.press("?");
  await expect
    .poll(() => page.getByRole("dialog").getByText("next and previous reply").isVisible())
    .toBe(true);
  await page.keyboard.press("Escape");
  await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
});

const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const element = document.activeElement;
    return `${element?.tagName} ${element?.className}`;
  });

test("a link opens the reply that it names, and the theme can be chosen", async () => {
  const { page } = await openRecordingPage(browser, story, {
    hash: "reply-run-1-turn-1-reply-2",
    viewport: phone,
  });
  await expect.poll(() => page.locator("h2").first().textContent()).toContain("calls write_file");
  await expect.poll(() => page.locator(".side").isVisible()).toBe(false);
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await background();
  await page.getByLabel("Colours").selectOption("dark");
  await expect.poll(background).not.toBe(light);
  await page.keyboard.press("k");
  await expect.poll(() => anchorOf(page)).toBe("reply-run-1-turn-1-reply-1");
  await page.getByRole("button", { name: "List" }).click();
  await expect.poll(() => page.locator(".side").isVisible()).toBe(true);
});

test("an answer about a call that waits becomes the option that settles it", async () => {
  const { page } = await openRecordingPage(browser, story, { viewport: phone });
  await page.locator(".outline-row").first().click();
  const code = page.getByRole("figure", { name: "The code that continues the run" });
  await page.getByLabel(/The result that the model gets/).fill('{"refunded":120}');
  await expect
    .poll(() => code.textContent())
    .toContain('"toolu_05": { result: {"refunded":120} },');
  await page.getByLabel(/The result that the model gets/).fill('paid \u202E"twice"');
  await expect.poll(() => code.textContent()).toContain('{ result: "paid \\u202e\\"twice\\"" }');
  await page.getByLabel("It did not happen: run it now").check();
  await expect.poll(() => code.textContent()).toContain("did-not-happen");
  const text = (await code.textContent()) ?? "";
  expect(text).toContain('journal: { store, runId: "order-A-7" }');
  const options: unknown[] = [];
  new Function("run", "options", "store", text)((given: unknown) => options.push(given), {}, {});
  expect(options).toEqual([
    {
      journal: { store: {}, runId: "order-A-7" },
      waiting: { settlements: { toolu_05: "did-not-happen" } },
    },
  ]);
  await expectNoOverflow(page);
});

test("a reply is saved as a fixture", async () => {
  const { page, problems } = await openRecordingPage(browser, story, {
    hash: "reply-run-1-turn-1-reply-2",
  });
  await page.getByRole("button", { name: "Save as a fixture" }).click();
  await page.getByLabel("Name of the files").fill("four-calls");
  await page.getByLabel(/The calls should have been withheld/).check();
  const file = page.locator(".files li").filter({ hasText: "four-calls.turn.json" });
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    file.getByRole("button").click(),
  ]);
  expect(download.suggestedFilename()).toBe("four-calls.turn.json");
  const turn = JSON.parse(readFileSync(await download.path(), "utf8"));
  expect(turn.calls).toEqual([]);
  expect(turn.withheld).toHaveLength(4);
  await page.getByLabel("Name of the files").fill("../up");
  await expect
    .poll(() => page.getByRole("alert").textContent())
    .toContain("cannot be the name of a fixture");
  expect(problems.filter((problem) => !problem.includes("blob:"))).toEqual([]);
});

test("a run of 500 turns opens quickly, with few elements", slow, async () => {
  const { text, outcome } = await recordLong(500);
  expect(outcome.status).toBe("done");
  const { page, problems } = await openRecordingPage(browser, text);
  const nodes = () => page.evaluate(() => document.querySelectorAll("*").length);
  await expect.poll(nodes).toBeLessThan(1500);
  const opened = await page.evaluate(
    () => performance.getEntriesByName("fullstop-shown")[0]?.startTime ?? Number.NaN,
  );
  expect(opened).toBeLessThan(20_000);
  await page.locator(".outline").evaluate((list) => list.scrollTo(0, list.scrollHeight));
  await page.locator(".outline-row").filter({ hasText: "Turn 500" }).click();
  await page.getByText("That was all.").last().waitFor();
  await page.keyboard.press("k");
  await expect
    .poll(() => page.locator(".outline [aria-current]").textContent())
    .toContain("Turn 499");
  await page.getByRole("searchbox").fill('"part":321}');
  await expect.poll(() => titles(page)).toEqual(["Turn 321", "look", "Turn 322"]);
  await expect.poll(nodes).toBeLessThan(1500);
  expect(problems).toEqual([]);
});

test("paper shows the pane with all lines of the timeline, and no list", async () => {
  const { text } = await recordLong(100);
  const { page } = await openRecordingPage(browser, text);
  const lines = page.locator(".timeline-row");
  await expect.poll(() => lines.count()).toBeLessThan(100);
  await page.emulateMedia({ media: "print" });
  await expect.poll(() => lines.count()).toBe(200);
  await expect.poll(() => page.locator(".side").isVisible()).toBe(false);
  expect(
    await page.locator(".timeline").evaluate((box) => box.scrollHeight - box.clientHeight),
  ).toBe(0);
});

test.each(["light", "dark"] as const)(
  "%s colours pass an accessibility check",
  slow,
  async (colorScheme) => {
    const { page } = await openRecordingPage(browser, story, { colorScheme });
    const check = async (): Promise<unknown> => {
      await page.evaluate(axe.source);
      const { violations } = await page.evaluate<axe.AxeResults>("axe.run()");
      return violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html.slice(0, 200))]);
    };
    await expect.poll(check).toEqual([]);
    for (const anchor of [1, 8]) {
      await page.locator(".outline-row").nth(anchor).click();
      await page.evaluate(() => {
        for (const fold of document.querySelectorAll<HTMLDetailsElement>(".pane details"))
          fold.open = true;
      });
      await expect.poll(check).toEqual([]);
    }
    await page.keyboard.press("?");
    await expect.poll(check).toEqual([]);
  },
);
