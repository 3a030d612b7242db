import type { Rule } from "./files.ts";

/**
 * Expressions that are hard to read for readers whose first language is not English, and what to
 * write instead.
 */
const hardToRead: readonly (readonly [expression: RegExp, instead: string])[] = [
  [/(?<!\bthere )\bis no (?!longer\b|more than\b)\w+/i, "is not a"],
  [/\b(?:whoever|whatever|whichever|whenever)\b/i, "a noun, or `if` or `when`"],
  [/\bnobody\b/i, "a subject and `not`, or `no one`"],
  [/\btold (?:apart|as|by|from|in|to (?:a|the)|with)\b/i, "is reported, or is recognized"],
  [/\b(?:said|told) of\b/i, "reported for, or described"],
  [/\bwhat is\b(?:(?!\b(?:if|that|what)\b)[^.,;:?|`])*\bis\b/i, "a noun as the subject"],
  [/\bbeyond doubt\b/i, "certain"],
  [/\bsays nothing\b/i, "what is missing"],
  [/\b(?:comes?|came) to nothing\b/i, "fails, or has no effect"],
  [/\bunless told\b/i, "by default"],
  [/\bmust be told\b/i, "what it needs"],
  [/\basked for again\b/i, "requested again"],
  [/\bof ours\b/i, "our"],
];

/** The sources and the documents that people write use plain English. */
export const plainWords: Rule = (files) =>
  [...files]
    .filter(
      ([path]) =>
        path !== thisFile && (isSource.test(path) || (path.endsWith(".md") && !isMade.test(path))),
    )
    .flatMap(([path, text]) =>
      text
        .split("\n")
        .flatMap((line, at) =>
          hardWords(line).map((finding) => `${path}:${at + 1} says ${finding}`),
        ),
    );

const thisFile = "tooling/shape/src/plain.ts";
const isSource = /^(?:packages|apps|tests|tooling)\/.*\/src\/.*\.(?:m?ts|txt|json)$/;
const isMade = /(?:^|\/)(?:API|CLAUSES|CHANGELOG)\.md$|^\.changeset\//;

const hardWords = (line: string): readonly string[] =>
  hardToRead.flatMap(([expression, instead]) => {
    const found = expression.exec(line)?.[0];
    return found === undefined ? [] : [`"${found}": write ${instead}`];
  });
