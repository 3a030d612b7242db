/**
 * Replaces the text between `<!-- name -->` and `<!-- /name -->`.
 * Throws if one of the two marks is missing.
 */
export function fillMarks(text: string, name: string, content: string): string {
  const [before, rest] = text.split(`<!-- ${name} -->\n`);
  const [, after] = rest?.split(`<!-- /${name} -->`) ?? [];
  if (before === undefined || after === undefined)
    throw new Error(`The marks <!-- ${name} --> and <!-- /${name} --> are missing.`);
  return `${before}<!-- ${name} -->\n${content}\n<!-- /${name} -->${after}`;
}
