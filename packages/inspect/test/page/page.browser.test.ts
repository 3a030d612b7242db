import { desktop, phone, startBrowser } from "@tooling/test/browser";
import { beforeAll, describe, expect, test } from "vitest";
import { anchorOf, expectNoOverflow, openRecordingPage } from "./open-page.ts";
import { recordScript, recordStory } from "./recordings.ts";

const browser = await startBrowser();
let story = "";
beforeAll(async () => {
  ({ text: story } = await recordStory());
});

describe.each([
  ["a phone", phone],
  ["a desktop", desktop],
])("on %s", (_, viewport) => {
  test("a reader gets from the run to the call that was cut, and on", async () => {
    const { page, problems } = await openRecordingPage(browser, story, { viewport });
    await page
      .getByRole("link", { name: /Run order-A-7/ })
      .first()
      .click();
    await expectNoOverflow(page);
    await page.locator(".attention").getByRole("link").first().click();
    await expect
      .poll(() => page.locator("h2").first().textContent())
      .toContain("Held back write_file; nothing of it ran.");
    await expect.poll(() => page.locator(".badge").first().textContent()).toContain("withheld");
    await expectNoOverflow(page);

    await page.getByRole("link", { name: /to the reply that followed/ }).click();
    await expect.poll(() => page.locator("h2").first().textContent()).toContain("calls write_file");
    await expectNoOverflow(page);
    await page
      .locator(".call-links")
      .getByRole("link", { name: /refund/ })
      .click();
    await expect.poll(() => page.locator("h2").first().textContent()).toBe("Call of refund");
    await expectNoOverflow(page);
    await page.goBack();
    await expect.poll(() => page.locator("h2").first().textContent()).toContain("calls write_file");
    expect(problems).toEqual([]);
  });
});

const open = (hash: string) => openRecordingPage(browser, story, { hash });

test("the rules of the gate are a list, and the first that failed is marked", async () => {
  const { page } = await open("reply-run-1-turn-1-reply-1");
  const rules = page.locator(".rules > li");
  await expect.poll(() => rules.count()).toBe(13);
  const decisive = page.locator(".rule.decisive");
  await expect.poll(() => decisive.count()).toBe(1);
  const text = await decisive.textContent();
  expect(text).toContain("belowCap");
  expect(text).toContain("First rule that failed");
  expect(text).toContain("The usage is 1024 of 1024 output tokens.");
  await expect
    .poll(() => rules.filter({ hasText: "inputsValid" }).textContent())
    .toContain("Failed too");
  await expect.poll(() => rules.filter({ hasText: "Passed: " }).count()).toBe(11);
  await expect.poll(() => page.getByText("cap reached").isVisible()).toBe(true);
  await expect
    .poll(() => page.getByText("Cost: 1 request, 25 in, 1,290 out").isVisible())
    .toBe(true);
});

test("the repair is beside what arrived, and what it made up is marked", async () => {
  const { page } = await open("reply-run-1-turn-1-reply-1");
  const input = page.locator(".card.input");
  const arrived = await input.getByLabel("What arrived for write_file").textContent();
  const repaired = await input
    .getByLabel("What a repair would have run for write_file")
    .textContent();
  const invented = await input.locator(".verbatim ins").textContent();
  expect(arrived).toMatch(/^\{"path":"src\/limits\.ts","content":"export interface Limits/);
  expect(invented).toBe('made up by the repair: "}');
  expect(repaired).toBe(`${arrived}${invented}`);
  await expect.poll(() => input.textContent()).toContain(`${arrived?.length} bytes`);
});

test("each frame is shown as it came", async () => {
  const { page } = await open("reply-run-1-turn-1-reply-1");
  await page.getByText("Frame 1 as JSON").click();
  const json = page.getByRole("figure", { name: /as JSON/ });
  await expect.poll(() => json.textContent()).toContain('"message_start"');
  await page.locator(".strip-bar.full").last().click();
  const count = Number(/of (\d+)/.exec((await page.locator(".picker").textContent()) ?? "")?.[1]);
  await page.getByRole("slider", { name: "Frame" }).fill(String(count - 1));
  await expect.poll(() => json.textContent()).toContain('"message_stop"');
  await page.getByRole("button", { name: "Frame before" }).click();
  await expect.poll(() => json.textContent()).toContain('"tool_use"');
});

test("the prompt shows what is new in it", async () => {
  const { page } = await open("reply-run-1-turn-1-reply-1");
  await page.getByText("Prompt", { exact: true }).click();
  await expect
    .poll(() => page.getByText("New since the request before: 1 message").isVisible())
    .toBe(true);
  await expect
    .poll(() => page.getByText("Raise the limits, and refund order A-7.").isVisible())
    .toBe(true);
  await page.getByText(/^Instructions/).click();
  await expect.poll(() => page.getByText("Ask before you pay.").isVisible()).toBe(true);
  await expectNoOverflow(page);
});

test("requests, tools and sub-agents are on one time axis", async () => {
  const { page } = await open("run-order-A-7");
  const lines = page.locator(".timeline-row");
  await expect.poll(() => lines.allInnerTexts()).toHaveLength(9);
  await expect.poll(() => lines.filter({ hasText: "Sub-agent" }).count()).toBe(1);
  await expect.poll(() => page.locator(".timeline .seg.tool").count()).toBe(4);
  await expect.poll(() => page.locator(".timeline .dot").count()).toBeGreaterThan(0);
  await lines.filter({ hasText: "refund" }).click();
  await expect.poll(() => anchorOf(page)).toMatch(/^call-/);
});

test("what a repair drops is marked too", async () => {
  const { text } = await recordScript(
    [{ calls: [{ name: "sum", inputText: '{ "numbers": [1, 2,' }] }, { text: "Done." }],
    { limits: { turns: 2 } },
  );
  const { page } = await openRecordingPage(browser, text, { hash: "reply-run-1-turn-1-reply-1" });
  const repair = page.getByRole("figure", { name: "What a repair would have run for sum" });
  await expect.poll(() => repair.locator("del").textContent()).toBe("dropped by the repair: ,");
  await expect.poll(() => repair.locator("ins").textContent()).toBe("made up by the repair: ]}");
});
