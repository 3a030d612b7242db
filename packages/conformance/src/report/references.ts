import type { Reference } from "../clause.ts";

/** A piece of a sentence. */
export interface LinkedText {
  readonly text: string;
  /** What the text links to. */
  readonly url?: string;
}

/** The address that a reference links to. An issue without the owner of its repository has none, and only `https:` is linked. */
export function urlOf(reference: Reference): string | undefined {
  if ("url" in reference) return reference.url.startsWith("https://") ? reference.url : undefined;
  const [repository = "", number] = reference.issue.split("#");
  return repository.includes("/") ? `https://github.com/${repository}/issues/${number}` : undefined;
}

const nameOf = (reference: Reference): LinkedText => {
  const text = "url" in reference ? reference.url : reference.issue;
  const url = urlOf(reference);
  return url === undefined ? { text } : { text, url };
};

/** References as a sentence with links: `owner/a#1, owner/b#2: what happened; https://…: another`. */
export const linkReferences = (references: readonly Reference[]): readonly LinkedText[] =>
  references.flatMap((reference, index) => {
    const isLast = index === references.length - 1;
    const note = reference.note === undefined ? "" : `: ${reference.note}`;
    const separator = reference.note === undefined ? ", " : "; ";
    return [nameOf(reference), { text: note + (isLast ? "" : separator) }];
  });

/** The same sentence as plain text. */
export const describeReferences = (references: readonly Reference[]): string =>
  linkReferences(references)
    .map(({ text }) => text)
    .join("");
