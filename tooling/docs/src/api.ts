import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import GithubSlugger from "github-slugger";
import { type Declaration, type Exports, exportsOf } from "./declarations.ts";

interface Manifest {
  readonly name: string;
  readonly exports: Readonly<Record<string, { readonly "@fullstop/source"?: string } | string>>;
}
export interface EntryPoint {
  /** The import specifier: `@fullstop/core`. */
  readonly specifier: string;
  readonly exports: Exports;
}

/** The entry points of a package, with their exports. */
export function entryPointsOf(folder: string): readonly EntryPoint[] {
  const { name, exports } = JSON.parse(
    readFileSync(join(folder, "package.json"), "utf8"),
  ) as Manifest;
  return Object.entries(exports).flatMap(([path, target]) => {
    const source = typeof target === "string" ? undefined : target["@fullstop/source"];
    return source === undefined || !source.endsWith(".ts")
      ? []
      : [{ specifier: join(name, path), exports: exportsOf(join(folder, source)) }];
  });
}

/** The reference of a package: each export with its docstring, declaration and source file. */
export function reference(folder: string): string {
  const entryPoints = entryPointsOf(folder);
  const head = `# API of ${entryPoints[0]?.specifier ?? folder}\n\nMade from the docstrings of the sources by \`pnpm generate\`. The [README](README.md) explains and shows.\n`;
  const slugger = new GithubSlugger();
  const exported = new Set(
    entryPoints.flatMap(({ exports }) => exports.declarations.map(({ name }) => name)),
  );
  const sections = entryPoints.map((one) => section(folder, one, { exported, slugger }));
  return [head, ...sections].join("\n");
}

function section(
  folder: string,
  { specifier, exports: { declarations, reexports } }: EntryPoint,
  { exported, slugger }: { exported: ReadonlySet<string>; slugger: GithubSlugger },
): string {
  const alsoExported = [...reexports].map(
    ([from, names]) =>
      `Also exported, from \`${from}\`: ${names.map((name) => `\`${name}\``).join(", ")}.\n`,
  );
  const own = mergeByName(declarations);
  const index = own.map(({ name }) => `[${name}](#${slugger.slug(name)})`).join(" · ");
  const entries = own.map((one) =>
    entry(folder, { ...one, code: [one.code, ...unexportedTypes(one, exported)].join("\n\n") }),
  );
  return [`## \`${specifier}\`\n`, `${index}\n`, ...entries, ...alsoExported].join("\n");
}

/** The types that a declaration uses and that no entry point exports. The entry shows them too. */
function unexportedTypes(
  { name, code, types }: Declaration,
  exported: ReadonlySet<string>,
): readonly string[] {
  const found = new Map<string, string>();
  const look = (text: string): void => {
    for (const [word] of text.matchAll(/\b[A-Z]\w+/g)) {
      const type = types.get(word);
      if (type === undefined || word === name || exported.has(word) || found.has(word)) continue;
      found.set(word, type);
      look(type);
    }
  };
  look(code);
  return [...found.values()];
}

/** Joins a type and a constant of the same name. Values come first, then types. */
function mergeByName(declarations: readonly Declaration[]): readonly Declaration[] {
  const byName = new Map<string, Declaration>();
  for (const one of declarations) {
    const first = byName.get(one.name);
    byName.set(
      one.name,
      first === undefined
        ? one
        : { ...first, doc: first.doc || one.doc, code: `${first.code}\n${one.code}` },
    );
  }
  const isType = ({ code }: Declaration): number => Number(/^(interface|type) /.test(code));
  return [...byName.values()].toSorted(
    (a, b) => isType(a) - isType(b) || a.name.localeCompare(b.name, "en"),
  );
}

/** A docstring with its tags (`@deprecated`) as bold words. */
const prose = (doc: string): string =>
  doc.replaceAll(
    /\n?^@(\w)(\w*) /gm,
    (_, first: string, rest: string) => `\n**${first.toUpperCase()}${rest}** `,
  );

const entry = (folder: string, { name, doc, code, file }: Declaration): string => {
  const path = relative(folder, file);
  return `### ${name}\n\n${prose(doc)}\n\n\`\`\`ts\n${code}\n\`\`\`\n\n[${path}](${path})\n`;
};
