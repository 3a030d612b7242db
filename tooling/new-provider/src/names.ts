/**
 * The name of a provider in the forms that its files need: `north-star`, `northStar`, `NorthStar`,
 * `North Star`.
 */
export interface Names {
  readonly kebab: string;
  readonly camel: string;
  readonly pascal: string;
  readonly title: string;
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

export function namesOf(kebab: string): Names {
  const words = kebab.split("-");
  const pascal = words.map(capital).join("");
  return {
    kebab,
    pascal,
    camel: pascal.charAt(0).toLowerCase() + pascal.slice(1),
    title: words.map(capital).join(" "),
  };
}

/**
 * Replaces `acme` in the template: with the name in strings and links, with an identifier in code,
 * with a title in prose.
 */
export const rename = (text: string, names: Names): string =>
  text
    .replaceAll(/Acme(?=[A-Z])/g, "<pascal>")
    .replaceAll("Acme", "<title>")
    .replaceAll(/(?<=["'./-])acme|acme(?=[-.])|(?<=stops )acme/g, "<kebab>")
    .replaceAll("acme", "<camel>")
    // Last, because a name may contain "acme".
    .replaceAll(/<(pascal|title|kebab|camel)>/g, (_, form: keyof Names) => names[form]);

/**
 * Returns a sentence if a provider cannot have this name. `template` is the whole code of the
 * template.
 */
export function nameProblem(name: string, template: string): string | undefined {
  if (name.startsWith("provider-"))
    return `Remove "provider-": pnpm new-provider ${name.slice("provider-".length)}`;
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name) || name.length > 30) {
    return `"${name}" is not a valid name: use up to 30 small letters and digits, with "-" between words and a letter first, for example "north-star".`;
  }
  const { camel } = namesOf(name);
  const taken =
    name !== "acme" && (keywords.has(camel) || new RegExp(`\\b${camel}\\b`).test(template));
  return taken
    ? `"${name}" has another meaning in the code of a provider: add a word, for example "${name}-ai".`
    : undefined;
}

const keywords: ReadonlySet<string> = new Set(
  "await break case catch class const continue debugger default delete do else enum eval extends false finally for function if implements import in instanceof interface let new null package private protected public return static super switch this throw true try typeof undefined var void while with yield".split(
    " ",
  ),
);
