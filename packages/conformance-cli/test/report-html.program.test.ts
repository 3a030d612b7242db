import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Report } from "@fullstop/conformance";
import { afterAll, beforeAll, expect, test } from "vitest";
import { reporters } from "../src/index.ts";
import { type Browser, launch, type Page } from "./browser.ts";
import { hostileReport } from "./reports.ts";

const folder = mkdtempSync(join(tmpdir(), "report-"));
let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true });
});

interface Opened {
  readonly page: Page;
  /** Errors of the console and of the page, and requests other than the one for the file itself. */
  readonly unwanted: readonly string[];
}
async function open(
  report: Report,
  options: { readonly width: number; readonly colorScheme: "light" | "dark" },
): Promise<Opened> {
  const { width, colorScheme } = options;
  const path = join(folder, "report.html");
  writeFileSync(path, reporters.html(report));
  const url = pathToFileURL(path).href;
  const page = await browser.newPage({ viewport: { width, height: 800 }, colorScheme });
  const unwanted: string[] = [];
  page.on("console", (message) => unwanted.push(`${message.type()}: ${message.text()}`));
  page.on("pageerror", ({ message }) => unwanted.push(message));
  page.on(
    "request",
    (request) =>
      request.url() === url || request.url().startsWith("data:") || unwanted.push(request.url()),
  );
  await page.goto(url);
  return { page, unwanted };
}

/** A large report: ten subjects, sixty clauses. */
const [clause] = hostileReport.clauses;
const large: Report = {
  ...hostileReport,
  clauses: ["stop", "call", "wire", "turn", "request", "error"].flatMap((family) =>
    Array.from({ length: 10 }, (_, n) => ({
      id: `${family}.clause-${n}`,
      rule: `Rule ${n} of ${family}.`,
      level: "must" as const,
      references: clause?.references ?? [],
    })),
  ),
  subjects: Array.from({ length: 10 }, (_, n) => ({
    name: `Subject number ${n}`,
    wire: "wire",
    findings: {},
  })),
};

const opened = "document.querySelectorAll('details[open]').length";
const broken = "td.broken summary";
const panel = "details[open] .panel";

test("a cell opens by mouse and by keyboard, and shows rule, source, bytes, expected and actual without a request", async () => {
  const { page, unwanted } = await open(hostileReport, { width: 1280, colorScheme: "light" });
  expect(await page.evaluate<number>("document.querySelectorAll('tbody td.cell').length")).toBe(12);
  expect(await page.evaluate<number>(opened)).toBe(0);
  await page.click(broken);
  const text = await page.textContent(panel);
  for (const words of [
    "Rule broken </td>",
    "<script>document.title='taken'</script>",
    "expected </td>",
    "actual </td>",
    "data: </td>",
    "30 checks",
    "some.broken/id ",
  ])
    expect(text).toContain(words);
  expect(
    await page.evaluate<readonly string[]>(
      `[...document.querySelector('${panel}').querySelectorAll('a')].map(({ href }) => href)`,
    ),
  ).toEqual([
    "https://github.com/earendil-works/pi/issues/6285",
    "https://github.com/x/y/issues/7",
    "https://example.test/a?b=1&c=d",
  ]);
  expect(
    await page.evaluate<readonly string[]>(
      "[...document.querySelectorAll('tr.level')].map(({ innerText }) => innerText.replace(/\\s+/g, ' ').trim())",
    ),
  ).toEqual(["must be kept 1 of 3 1 of 3", "should be kept 0 of 1 0 of 1"]);
  await page.press(broken, "Enter");
  expect(await page.evaluate<number>(opened)).toBe(0);
  await page.press(broken, "Enter");
  await page.press("td.stale summary", "Enter");
  expect(await page.textContent(panel)).toContain("Rule stale");
  expect(await page.evaluate<number>(opened)).toBe(1);
  expect(
    await page.evaluate<string>(
      "document.elementFromPoint(innerWidth - 40, 24).closest('details').parentElement.className",
    ),
  ).toContain("stale");
  expect(
    await page.evaluate<number>(
      "document.querySelectorAll('script, img, iframe, object, embed').length",
    ),
  ).toBe(0);
  expect(await page.evaluate<string>("document.title")).not.toBe("taken");
  expect(unwanted).toEqual([]);
});

test.for([
  [1280, "light"],
  [390, "dark"],
] as const)(
  "at %i pixels, %s: headings stay visible, and nothing overflows",
  async ([width, colorScheme]) => {
    const { page, unwanted } = await open(large, { width, colorScheme });
    const at = await page.evaluate<
      Readonly<Record<"top" | "left" | "cells" | "page", number>>
    >(`(() => {
    const matrix = document.querySelector(".matrix");
    matrix.scrollTo(300, 900);
    const box = matrix.getBoundingClientRect();
    return {
      top: document.querySelector("thead").getBoundingClientRect().top - box.top,
      left: document.querySelector("tbody tr:last-child th").getBoundingClientRect().left - box.left,
      cells: document.querySelectorAll("td.not-run").length,
      page: document.documentElement.scrollWidth,
    };
  })()`);
    expect(at.cells).toBe(600);
    expect(at.page).toBe(width);
    expect(Math.abs(at.left)).toBeLessThanOrEqual(1);
    expect(Math.abs(at.top)).toBeLessThanOrEqual(1);
    expect(unwanted).toEqual([]);
  },
);

test("24 subjects fit side by side on a screen, also with a long name", async () => {
  const subjects = Array.from({ length: 24 }, (_, n) => ({
    name: n === 5 ? "node some/long/path/to/an/agent.mjs --with option" : `System ${n}, protocol`,
    wire: "wire-of-a-vendor",
    findings: {},
  }));
  const { page } = await open({ ...large, subjects }, { width: 1600, colorScheme: "light" });
  const found = await page.evaluate<Readonly<Record<"width" | "head", number>>>(`(() => ({
    width: document.querySelector(".matrix").scrollWidth,
    head: document.querySelector("thead").getBoundingClientRect().height,
  }))()`);
  expect(found.width).toBe(1600);
  expect(found.head).toBeLessThan(400);
});

test.for(["light", "dark"] as const)(
  "marks and texts have enough contrast: %s",
  async (colorScheme) => {
    const { page } = await open(hostileReport, { width: 1280, colorScheme });
    const contrasts = await page.evaluate<Readonly<Record<string, number>>>(`(() => {
    const light = (color) => {
      const [r, g, b] = color.match(/[\\d.]+/g).map((part) => { const c = part / 255; return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4; });
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const ground = (element) => { const color = getComputedStyle(element).backgroundColor; return color === "rgba(0, 0, 0, 0)" ? ground(element.parentElement) : color; };
    const contrast = (element) => {
      const [one, other] = [getComputedStyle(element).color, ground(element)].map(light).sort((a, b) => b - a);
      return (one + 0.05) / (other + 0.05);
    };
    const selectors = ["h1", ".legend li", "th .rule", "thead small", ".family td", ".level td", "td.kept summary", "td.broken summary", "td.stale summary", "td.expected-failure summary", "td.not-asked summary", "td.not-run summary"];
    return Object.fromEntries(selectors.map((selector) => [selector, contrast(document.querySelector(selector))]));
  })()`);
    for (const [selector, contrast] of Object.entries(contrasts))
      expect(contrast, selector).toBeGreaterThanOrEqual(4.5);
    expect(Object.keys(contrasts)).toHaveLength(12);
  },
);
