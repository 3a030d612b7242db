import { dirname, join } from "node:path/posix";
import {
  desktop,
  expectNoOverflow,
  type OpenedPage,
  type OpenOptions,
  openAt,
  type Page,
  phone,
  startBrowser,
} from "@tooling/test/browser";
import axe from "axe-core";
import { beforeAll, expect, test } from "vitest";
import { buildSite, hasFile, readSite, serveSite, siteFiles } from "./built-site.ts";

const browser = await startBrowser();
const paths = ["/", "/some/path/"] as const;
const addresses = new Map<string, string>();
beforeAll(async () => {
  buildSite();
  for (const path of paths) addresses.set(path, await serveSite(path));
});

interface SitePage extends OpenedPage {
  readonly address: string;
}

/** Opens a page of the site, and waits until its scripts run. */
async function openSite(
  file: string,
  options: OpenOptions = {},
  path: (typeof paths)[number] = "/some/path/",
): Promise<SitePage> {
  const address = addresses.get(path) ?? "";
  const opened = await openAt(browser, `${address}${file}`, { ...options, permits: address });
  await opened.page.locator("#local-search button").waitFor();
  return { ...opened, address };
}

/** A page of each kind. */
const kinds = [
  "index.html",
  "start.html",
  "packages/guard/index.html",
  "packages/lint/API.html",
  "docs/providers.html",
  "docs/field-report.html",
  "docs/field/go/eino.html",
  "docs/field/replies/anthropic.html",
];

const idsIn = (html: string): ReadonlySet<string> =>
  new Set([...html.matchAll(/\sid="([^"]+)"/g)].map(([, id = ""]) => id));

test("every link leads to a file and a heading of the site", () => {
  const pages = siteFiles("**/*.html").filter((file) => !file.startsWith("playground/"));
  const ids = new Map(pages.map((file) => [file, idsIn(readSite(file))]));
  const dead = pages.flatMap((file) =>
    [...readSite(file).matchAll(/\s(?:href|src)="([^"]+)"/g)]
      .map(([, target = ""]) => target.replaceAll("&amp;", "&"))
      .filter((target) => !/^[a-z]+:/.test(target))
      .filter((target) => {
        const [path = "", anchor] = target.split("#");
        const found = path === "" ? file : join(dirname(file), path);
        const to = found.endsWith("/") || found === "." ? join(found, "index.html") : found;
        const known = ids.get(to);
        return !hasFile(to) || (anchor !== undefined && !known?.has(decodeURIComponent(anchor)));
      })
      .map((target) => `${file}: ${target}`),
  );
  expect(pages.length).toBeGreaterThan(100);
  expect(dead).toEqual([]);
});

test("llms.txt has a title, a summary and sections of links, and each page is a Markdown file", () => {
  const [title, summary, , ...sections] = readSite("llms.txt")
    .trim()
    .split(/\n\n(?=>|##|Each)/);
  expect(title).toBe("# Fullstop");
  expect(summary).toMatch(/^> .+$/);
  const links = sections.flatMap((section) => {
    const [head, ...lines] = section.split(/\n+/);
    expect(head).toMatch(/^## \S/);
    return lines.map((line) => /^- \[[^\]]+\]\(([^)]+)\)(?:: \S.*)?$/.exec(line)?.[1] ?? line);
  });
  expect(links.filter((file) => !hasFile(file))).toEqual([]);
  const pages = siteFiles("**/*.html").filter(
    (file) => !/^(?:index|playground\/.*)\.html$/.test(file),
  );
  expect(links.toSorted()).toEqual(pages.map((file) => file.replace(/html$/, "md")).toSorted());
});

test.each(paths)("below %s each kind of page loads only from there", async (path) => {
  for (const kind of kinds) {
    const { problems } = await openSite(kind, {}, path);
    expect({ kind, problems }).toEqual({ kind, problems: [] });
  }
});

test.each(paths)("below %s links and the search lead on", async (path) => {
  const { page, problems, address } = await openSite("docs/field/go/eino.html", {}, path);
  await page.getByRole("link", { name: "How systems are measured" }).click();
  await page.waitForURL(`${address}docs/field-report.html`);
  await page.getByRole("link", { name: "Start", exact: true }).first().click();
  await page.waitForURL(`${address}start.html`);
  await search(page, "vLLM");
  await page.keyboard.press("Enter");
  await page.waitForURL((url) => url.href !== `${address}start.html`);
  expect(page.url()).toContain(address);
  await page.locator(".vp-doc h1").waitFor();
  await page.goto(address);
  await page.getByRole("link", { name: "Cut a reply in the playground" }).click();
  await page.locator(".results").waitFor();
  expect(problems.filter((problem) => !problem.includes("/playground/"))).toEqual([]);
});

/** Asks the search with the keyboard. Returns the titles of what it finds. */
async function search(page: Page, words: string): Promise<readonly string[]> {
  await page.keyboard.press("/");
  await page.locator("#localsearch-input").waitFor();
  await page.keyboard.type(words);
  await page.locator("#localsearch-list .result").first().waitFor();
  return page.locator("#localsearch-list .titles").allInnerTexts();
}

test.each([
  ["max_tokens", /stop reasons/i],
  ["in doubt", /durable runs|crash/i],
  ["vLLM", /local models|openai-compatible/i],
])("the search finds %s", async (words, expected) => {
  const { page } = await openSite("index.html");
  const titles = await search(page, words);
  expect(titles.join("\n")).toMatch(expected);
});

const describe = ({ id, nodes }: axe.Result): string =>
  `${id}: ${nodes.map(({ html }) => html.slice(0, 300)).join(" ")}`;

const looks = [
  ["light", desktop],
  ["dark", phone],
] as const;
const looksOfKinds = kinds.flatMap((kind) =>
  looks.map(([colorScheme, viewport]) => ({ kind, colorScheme, viewport })),
);

test.each(looksOfKinds)(
  "$kind in $colorScheme: axe finds nothing, and it does not scroll sideways",
  async ({ kind, ...look }) => {
    const { page } = await openSite(kind, look);
    await page.evaluate(axe.source);
    const { violations } = await page.evaluate<axe.AxeResults>(
      'axe.run({ resultTypes: ["violations"] })',
    );
    expect(violations.map(describe)).toEqual([]);
    await expectNoOverflow(page);
  },
);

test.each([desktop, phone])("the code of the home page is not cut off at %j", async (viewport) => {
  const { page } = await openSite("index.html", { viewport });
  const cut = await page
    .locator(".doors code")
    .evaluateAll((codes) =>
      codes.map((code) => code.scrollWidth > (code.closest("div")?.clientWidth ?? 0)),
    );
  expect(cut).toEqual([false, false, false]);
});

test("the page follows the system into the dark", async () => {
  const backgroundIn = async (colorScheme: "light" | "dark"): Promise<string> => {
    const { page } = await openSite("index.html", { colorScheme });
    return page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  };
  expect(await backgroundIn("light")).not.toBe(await backgroundIn("dark"));
});

test("the field report is filtered and sorted with the keyboard, and a count leads to its evidence", async () => {
  const { page, address } = await openSite("docs/field-report.html");
  const names = () => page.locator(".field tbody th").allInnerTexts();
  const all = await names();
  expect(all.length).toBeGreaterThan(40);
  await page.getByLabel("Language").selectOption("Go");
  await expect.poll(names).toContain("Eino");
  expect((await names()).length).toBeLessThan(all.length);
  await page.getByLabel("Protocol").selectOption("gemini-generate-content");
  await expect.poll(names).toContain("Eino, Gemini, streamed");
  await page.getByRole("searchbox", { name: "Name" }).fill("eino");
  await expect.poll(async () => (await names()).length).toBe(2);
  await page.getByRole("searchbox", { name: "Name" }).fill("");
  const header = page.getByRole("button", { name: "sends invalid requests" });
  await header.focus();
  await page.keyboard.press("Enter");
  await expect.poll(async () => (await names())[0]).toMatch(/^Eino/);
  await expect.poll(() => header.locator("..").getAttribute("aria-sort")).toBe("descending");
  const row = page.locator(".field tbody tr").first();
  await row.locator("td").nth(5).locator("a").focus();
  await page.keyboard.press("Enter");
  await page.waitForURL(`${address}docs/field/go/eino.html#requestvalid`);
  await expect.poll(() => page.locator("#requestvalid").count()).toBe(1);
});

test("a system's page has its traffic, the text of an issue, and leads to the bytes that were sent", async () => {
  const { page, address } = await openSite("docs/field/go/eino.html");
  const text = await page.locator(".vp-doc").textContent();
  for (const part of [
    "== The reply that was sent",
    "== The conversation in the next request",
    "pnpm field --only go/eino",
    "Hello! I asked",
    "If a verdict is wrong",
  ])
    expect(text).toContain(part);
  await page.getByRole("link", { name: "stop.words/length", exact: true }).first().click();
  await page.waitForURL(`${address}docs/field/replies/openai-chat.html#length`);
  const reply = page.locator("#length ~ div pre").first();
  await expect.poll(() => reply.textContent()).toContain('"finish_reason":"length"');
});
