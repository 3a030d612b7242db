/** A provider's name in the forms that its files need: `north-star`, `northStar`, `NorthStar`, `North Star`. */
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

/** The text of the template, `acme` replaced: in strings and links by the name itself, in code by an identifier, in prose by a title. */
export const rename = (text: string, names: Names): string =>
  text
    .replaceAll(/Acme(?=[A-Z])/g, "<pascal>")
    .replaceAll("Acme", "<title>")
    .replaceAll(/(?<=["'./-])acme|acme(?=[-.])|(?<=stops )acme/g, "<kebab>")
    .replaceAll("acme", "<camel>")
    // Only now, because a name may hold "acme" itself.
    .replaceAll(/<(pascal|title|kebab|camel)>/g, (_, form: keyof Names) => names[form]);

/** Why no provider can have this name: a sentence for a person. `template` is all of its code. */
export function nameProblem(name: string, template: string): string | undefined {
  if (name.startsWith("provider-"))
    return `Leave "provider-" out: pnpm new-provider ${name.slice("provider-".length)}`;
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name) || name.length > 30) {
    return `"${name}" is no name for a provider: take up to 30 small letters and digits, in words joined by "-", a letter first, like "north-star".`;
  }
  const { camel } = namesOf(name);
  const taken =
    name !== "acme" && (keywords.has(camel) || new RegExp(`\\b${camel}\\b`).test(template));
  return taken
    ? `"${name}" means something else in the code of a provider: add a word, like "${name}-ai".`
    : undefined;
}

const keywords: ReadonlySet<string> = new Set(
  "await break case catch class const continue debugger default delete do else enum eval extends false finally for function if implements import in instanceof interface let new null package private protected public return static super switch this throw true try typeof undefined var void while with yield".split(
    " ",
  ),
);
