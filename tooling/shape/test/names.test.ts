import { describe, expect, it } from "vitest";
import { type Rule, readFiles } from "../src/files.ts";
import { longNames, uniqueNames } from "../src/names.ts";
import { plainWords } from "../src/plain.ts";

/** A rule, with sources that break it and sources that keep it. */
interface Sample {
  readonly sentence: string;
  readonly rule: Rule;
  readonly breaks: readonly (readonly [files: Readonly<Record<string, string>>, finding: string])[];
  readonly keeps: readonly Readonly<Record<string, string>>[];
}

const core = "packages/core/src";
const samples: readonly Sample[] = [
  {
    sentence: "two files of one package do not declare the same top-level name",
    rule: uniqueNames,
    breaks: [
      [
        {
          [`${core}/a.ts`]: "const name = 1;",
          [`${core}/deep/b.ts`]: "export interface name {}",
        },
        "packages/core: name is declared in src/a.ts and src/deep/b.ts",
      ],
      [
        {
          "apps/cli/src/a.ts": "export async function* read() {}",
          "apps/cli/src/b.ts": "const { x: [read] } = made;",
        },
        "apps/cli: read is declared in src/a.ts and src/b.ts",
      ],
    ],
    keeps: [
      {
        [`${core}/a.ts`]: "export function name(): void;\nexport function name(a?: 1): void {}",
        [`${core}/index.ts`]:
          'export { name } from "./a.ts";\nfunction other() { const name = 1; }',
        "packages/loop/src/a.ts": "const name = 1;",
      },
    ],
  },
  {
    sentence: "a name of one letter is in an arrow function of at most two lines",
    rule: longNames,
    breaks: [
      [{ [`${core}/a.ts`]: "\nconst n = 1;" }, `${core}/a.ts:2 names a n`],
      [{ [`${core}/a.ts`]: "function f() {}" }, `${core}/a.ts:1 names a f`],
      [{ [`${core}/a.ts`]: "function read({ a: [x] }) {}" }, `${core}/a.ts:1 names a x`],
      [{ [`${core}/a.ts`]: "list.map((n) => {\n  n();\n});" }, `${core}/a.ts:1 names a n`],
      [{ [`${core}/a.ts`]: "class A { read(...n) {} }" }, `${core}/a.ts:1 names a n`],
      [{ [`${core}/a.ts`]: "try {} catch (e) {}" }, `${core}/a.ts:1 names a e`],
    ],
    keeps: [
      { [`${core}/a.ts`]: "list.map((n) =>\n  n + 1);" },
      { [`${core}/a.ts`]: "const [_, name] = pair;\ntype A<T> = (n: number) => T;" },
    ],
  },
  {
    sentence: "sources and documents use plain English",
    rule: plainWords,
    breaks: [
      [
        { [`${core}/a.ts`]: "/** It is no list. */" },
        `${core}/a.ts:1 says "is no list": write is not a`,
      ],
      [
        { "README.md": "# Nobody\n" },
        'README.md:1 says "Nobody": write a subject and `not`, or `no one`',
      ],
      [
        { "docs/a.md": "What an adapter must be told.\n" },
        'docs/a.md:1 says "must be told": write what it needs',
      ],
    ],
    keeps: [
      { [`${core}/a.ts`]: "// There is no list. It is no longer one." },
      { [`${core}/a.ts`]: "// The model is told what is done and what is not." },
      { "packages/core/API.md": "whatever", ".changeset/a.md": "whatever" },
    ],
  },
];

describe("the names and words of the repository", () => {
  const repository = readFiles();
  for (const { sentence, rule, breaks, keeps } of samples) {
    it(sentence, () => expect(rule(repository)).toEqual([]));
    for (const [files, finding] of breaks)
      it(`reports: ${finding}`, () =>
        expect(rule(new Map(Object.entries(files)))).toEqual([finding]));
    for (const files of keeps)
      it(`permits ${JSON.stringify(Object.values(files)[0])}`, () =>
        expect(rule(new Map(Object.entries(files)))).toEqual([]));
  }
});
