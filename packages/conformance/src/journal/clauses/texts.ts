import type { JournalStep } from "@fullstop/loop/journal";
import type { Check } from "../../harness/check.ts";
import {
  askStore,
  checkReading,
  type JournalClauseTable,
  modelStep,
  run,
  toolStep,
  unlessRefused,
} from "../ask.ts";
import type { OpenStore } from "../harness.ts";
import { alterKeys, alterTexts } from "../mutants.ts";
import { outcomeOf } from "../outcomes.ts";

const textBytes = 1024 * 1024;
const nested = (depth: number): unknown => (depth === 0 ? [] : { inner: nested(depth - 1) });

/** Values of tools and models. A journal gets each as `JSON.stringify` writes it. */
const values: Readonly<Record<string, unknown>> = {
  "empty-object": {},
  "empty-list": [],
  "empty-text": "",
  null: null,
  false: false,
  zero: 0,
  "order-of-members": { zebra: 1, a: 2, bb: 3, "10": 4, "9": 5 },
  "large-number": { exponent: 1e21, small: 1.5e-7, integer: 9007199254740991 },
  "nul-character": { output: "before\u0000after" },
  "control-characters": "\u0001\u001f\u007f\u0085\ufeff\ufffe\uffff",
  "line-ends": "one\ntwo\r\nthree\u2028four\u2029five\n",
  "lone-surrogates": ["\ud800", "\udc00 before \ud800", "cut emoji \ud83d"],
  "other-scripts": "é e\u0301 ß İ 漢字 עברית 🏳️‍🌈 👩‍👩‍👧",
  quotes: `'; -- " \\ \` $1 %s ? :name {0} $\${x}`,
  "member-__proto__": JSON.parse('{"__proto__":{"polluted":1},"constructor":2}'),
  "json-in-text": JSON.stringify({ json: "[{}]" }),
  nested: nested(100),
  "one-textBytes": "x".repeat(textBytes),
  "one-textBytes-of-others": "漢".repeat(textBytes / 3),
};

const byteLength = (json: string): number => new TextEncoder().encode(json).length;

interface WrittenText {
  readonly id: string;
  readonly at: string;
  readonly step: JournalStep;
  readonly json: string;
}

/** Ends each step, and compares what the next lease reads. Texts above the limit are left out. */
async function checkWritten(
  store: OpenStore,
  all: readonly WrittenText[],
): Promise<readonly Check[]> {
  const lease = await store.open(run);
  const { maxStepBytes = Number.POSITIVE_INFINITY } = lease;
  const texts = all.filter(({ json }) => byteLength(json) <= maxStepBytes);
  const outcomes: string[] = [];
  for (const { step, json } of texts) outcomes.push(await outcomeOf(lease.end(step, json)));
  await lease.close();
  const later = await store.open(run);
  const checks: Check[] = [];
  for (const [index, { id, at, step, json }] of texts.entries()) {
    const check = await checkReading(later, id, at, [step.key, json]);
    checks.push(unlessRefused(outcomes[index] ?? "", check));
  }
  await later.close();
  return checks;
}

const valueTexts: readonly WrittenText[] = Object.entries(values).map(([id, value]) => ({
  id,
  at: `the text ${id}`,
  step: toolStep(`${run}/${id}`),
  json: JSON.stringify(value),
}));

/** Keys of one run. No two are alike, and each begins with the run. */
const keys: readonly string[] = [
  "1/1",
  "1/10",
  "1/1/1/model",
  "1/1/",
  "1/1 ",
  " 1/1",
  "1//1",
  "1\\1",
  "Model",
  "model",
  "caf\u00e9",
  "cafe\u0301",
  "stra\u00dfe",
  "strasse",
  "%",
  "_",
  "*",
  "?",
  "..",
  ".",
  "a:b",
  "a%3Ab",
  "'; DROP TABLE steps; --",
  '"quoted"',
  "line\nend",
  "tab\t",
  "__proto__",
  "constructor",
  "toString",
  "👩‍👩‍👧",
  "漢字",
  `${"1/1/".repeat(60)}1`,
  `${"1/1/".repeat(60)}2`,
];

const keyTexts: readonly WrittenText[] = keys.map((key, index) => ({
  id: `key-${index + 1}`,
  at: `the key ${run}/${key}`,
  step: modelStep(`${run}/${key}`),
  json: JSON.stringify({ key }),
}));

/** Orders the members as a database that stores values and not texts. */
function sortMembers(json: string): string {
  const value: unknown = JSON.parse(json);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return json;
  const sorted = Object.entries(value).toSorted(([first], [second]) => (first < second ? -1 : 1));
  return JSON.stringify(Object.fromEntries(sorted));
}

export const journalTextClauses: JournalClauseTable = {
  "journal.text": {
    rule: "A step is read with exactly the text that it ended with, each character and each member in its place.",
    references: {
      "https://www.postgresql.org/docs/current/datatype-json.html":
        "`jsonb` keeps neither the order of members nor the text of numbers, and refuses `\\u0000`",
      "agynio/v1#1250": "the result of a tool had a NUL character and could not be stored",
    },
    question: askStore((store) => checkWritten(store, valueTexts)),
    mutants: {
      "stores values instead of texts, so that members change their order": alterTexts(sortMembers),
      "leaves NUL characters out": alterTexts((json) => json.replaceAll("\\u0000", "")),
      "replaces half characters": alterTexts((json) =>
        json.replaceAll(/\\ud[89a-f][0-9a-f]{2}/g, "\ufffd"),
      ),
      "cuts texts at 64 KiB": alterTexts((json) => json.slice(0, 65_536)),
      "loses a member that is called `__proto__`": alterTexts((json) =>
        json.replace('"__proto__":{"polluted":1},', ""),
      ),
      "takes an empty object for nothing": alterTexts((json) => (json === "{}" ? "null" : json)),
    },
  },
  "journal.keys": {
    rule: "Steps are found by their whole keys: a key is not cut, trimmed, folded or taken for a pattern, and a key that begins with another is another step.",
    references: {
      "earendil-works/pi#4877": "names that differ in one character were written to one file",
      "stacklok/mecatl#441": "characters of ids were replaced, and two ids became one",
    },
    question: askStore((store) => checkWritten(store, keyTexts)),
    mutants: {
      "ignores the case of keys": alterKeys((key) => key.toLowerCase()),
      "normalizes keys": alterKeys((key) => key.normalize("NFC")),
      "trims keys": alterKeys((key) => key.trimEnd()),
      "cuts keys at 200 characters": alterKeys((key) => key.slice(0, 200)),
      "writes keys as names of files": alterKeys((key) => key.replaceAll(/[^a-z0-9]/gi, "_")),
    },
  },
};
