/** Versions by the name of a package. */
export type Releases = Readonly<Record<string, string>>;

export const speedPage = "docs/speed.md";

const opening = "The releases of other projects, each the newest on ";
/** A sentence for a table of the page, or nothing if it compares with no other project. */
export function describeReleases(releases: Releases, day: string): string | undefined {
  const named = Object.entries(releases).map(([name, version]) => `\`${name}\` ${version}`);
  return named.length === 0 ? undefined : `${opening}${day}: ${named.join(", ")}.`;
}

/** A table of the page, between its marks. */
export interface MeasuredTable {
  readonly name: string;
  readonly text: string;
  /** When it was measured. */
  readonly day: string;
}

const day = /, (\d{4}-\d\d-\d\d)\.$/m;
/** The tables of the page. Throws if one has no day. */
export const tablesOf = (page: string): readonly MeasuredTable[] =>
  [...page.matchAll(/<!-- (\w+) -->\n([\s\S]*?)<!-- \/\1 -->/g)].map(([, name = "", text = ""]) => {
    const measured = day.exec(text)?.[1];
    if (measured === undefined) throw new Error(`The table ${name} of ${speedPage} has no day.`);
    return { name, text, day: measured };
  });

/** The columns that measure code of other projects. */
const others = ["sdk", "helper", "vercel", "langchain", "tanstack", "pi", "to the SDK"];

const columnsOf = (text: string): readonly string[] =>
  (/^\|(.*)\|$/m.exec(text)?.[1] ?? "").split("|").map((column) => column.trim());

/** What a table does not say, or says of releases that were not the newest: one sentence each. */
export function findStaleReleases({ name, text, day: measured }: MeasuredTable): readonly string[] {
  if (!columnsOf(text).some((column) => others.includes(column))) return [];
  const said = text.split("\n").find((line) => line.startsWith(opening));
  if (said === undefined) return [`${name} does not name the releases of other projects`];
  const asked = said.slice(opening.length, opening.length + measured.length);
  const old = asked < measured ? [`${name} is newer than what it says about releases`] : [];
  const legend = text.split("\n").filter((line) => line.startsWith("- `"));
  const unknown = legend
    .flatMap((line) => line.match(/\d+\.\d+\.\d+/g) ?? [])
    .filter((version) => !said.includes(` ${version}`))
    .map((version) => `${name} names ${version}, which is not among the newest releases`);
  return [...old, ...unknown];
}
