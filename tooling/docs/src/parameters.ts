/** The rows of the table "Provider parameters", the same for every adapter. */
export const parameterRows: readonly string[] = [
  "temperature",
  "top_p",
  "seed",
  "stop sequences",
  "parallel calls",
  "service tier",
  "thinking, effort",
  "caching",
  "headers",
  "metadata, user",
];

const heading = "## Provider parameters\n";

/**
 * What is wrong with the table of a page. `example` is the file that sets every parameter: it is
 * type-checked and sent over a socket, so a name that it lacks is not known to exist.
 */
export function parameterFlaws(page: string, example: string): readonly string[] {
  const [, section] = page.split(heading);
  if (section === undefined) return ["The page has no section about the parameters."];
  const [table = ""] = section.trimStart().split("\n\n");
  const rows = table
    .split("\n")
    .slice(2)
    .map((line) => line.split(" | ").map((cell) => cell.replace(/^\| | \|$/g, "")));
  const names = rows.map(([name]) => name);
  return [
    ...parameterRows.flatMap((name) =>
      names.includes(name) ? [] : [`The row "${name}" is missing.`],
    ),
    ...names.flatMap((name) =>
      parameterRows.includes(String(name)) ? [] : [`The row "${name}" is not one of the table's.`],
    ),
    ...rows.flatMap(([name, ...cells]) => [
      ...(cells.some((cell) => cell === "") ? [`The row "${name}" has an empty cell.`] : []),
      ...cells
        .flatMap(parameterNamesIn)
        .flatMap((parameter) =>
          new RegExp(`\\b${parameter}\\b`).test(example)
            ? []
            : [`The example does not set \`${parameter}\` of the row "${name}".`],
        ),
    ]),
  ];
}

/** The names inside `params: { … }`, and all other names with an underscore. */
function parameterNamesIn(cell: string): readonly string[] {
  const spans = [...cell.matchAll(/`([^`]+)`/g)].map(([, span = ""]) => span);
  return spans.flatMap((span) => {
    const words = span.match(/\b[a-zA-Z_]+\b/g) ?? [];
    return words.filter((word) => span.startsWith("params:") || word.includes("_"));
  });
}
