import { createHash } from "node:crypto";
import { serveRecording } from "@fullstop/inspect/live";
import { readRecording } from "@fullstop/inspect/view";
import { expect, test } from "vitest";
import { toPage } from "../../src/page/index.ts";

const head = '{"recording":"fullstop","version":1,"startedAt":0}\n';
const policyOf = (page: string): string =>
  /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1] ?? "";
const contentOf = (page: string, start: RegExp): string => {
  const found = start.exec(page);
  const from = (found?.index ?? 0) + (found?.[0].length ?? 0);
  return page.slice(from, page.indexOf("</", from));
};
const hashOf = (text: string): string =>
  `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

test("the policy permits the script and the style of the page, and nothing else", () => {
  const page = toPage(head);
  const policy = new Map(
    policyOf(page)
      .split("; ")
      .map((rule) => [rule.split(" ")[0], rule.split(" ").slice(1)]),
  );
  expect(policy.get("default-src")).toEqual(["'none'"]);
  expect(policy.get("script-src")).toEqual([hashOf(contentOf(page, /<script>/))]);
  expect(policy.get("style-src")).toEqual([hashOf(contentOf(page, /<style>/))]);
  expect(policy.has("connect-src")).toBe(false);
  expect(page).not.toMatch(/<(?:link|img|script|iframe)[^>]*(?:src|href)="(?!data:,")/);
});

test("a live page may connect to its own server", () => {
  expect(policyOf(toPage("", { live: { events: "/events" } }))).toContain("connect-src 'self'");
});

test("no content of a recording ends its element, and it stays the same JSON", () => {
  const event = { text: "</script><!--<script>\u2028\u2029\uD800 </SCRIPT >" };
  const page = toPage(`${head}${JSON.stringify(event)}\n`);
  const data = contentOf(page, /<script type="application\/json" id="recording">/);
  expect(data).not.toContain("<");
  expect(data.isWellFormed()).toBe(true);
  expect(JSON.parse(data.split("\n")[1] ?? "")).toEqual(event);
  expect(toPage("\uD800").isWellFormed()).toBe(true);
});

test("the title is text", () => {
  expect(toPage(head, { title: "<b>&amp;\uD800" })).toContain(
    "<title>&lt;b>&amp;amp;\uFFFD · Fullstop</title>",
  );
});

test("options that cannot work are refused with their names", () => {
  expect(() => toPage(head, { titel: "x" } as object)).toThrow("`title`");
  expect(() => toPage(head, { live: "/events" } as object)).toThrow("`live`");
});

test.each([
  ["toPage", toPage, "the text of a recording"],
  ["readRecording", readRecording, "the text of a recording"],
  ["serveRecording", serveRecording, "the path of a recording"],
])("%s says what to pass if it gets nothing", async (name, read, needed) => {
  const call = async (): Promise<unknown> => read(undefined as never);
  await expect(call()).rejects.toThrow(`\`${name}\` needs ${needed}.`);
});
