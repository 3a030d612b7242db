import { dirname, join } from "node:path/posix";
import { type Package, packagesOf, type Rule, sourcesOf } from "./files.ts";

/** The packages of this repository that a package may import. */
const allowedPackages: Readonly<Record<string, RegExp>> = {
  core: /^$/,
  loop: /^@fullstop\/core(\/adapter)?$/,
  // Only the types of a journal: the loop is an optional peer.
  conformance: /^@fullstop\/(core(\/adapter)?|loop\/journal)$/,
  // It asks live hosts with the adapters; the command has them anyway.
  "conformance-cli":
    /^@fullstop\/(core(\/adapter)?|conformance(\/(gateway|journal\/judge|report|replay|runner|server|wires))?|provider-(anthropic|google|openai|openai-compatible))$/,
  // The readers are bundled.
  guard: /^@fullstop\/(core(\/adapter)?|provider-[^/]+\/reply)$/,
  "ai-sdk": /^@fullstop\/(core(\/adapter)?|provider-[^/]+\/reply)$/,
  langchain: /^@fullstop\/(core(\/adapter)?|guard)$/,
  gateway: /^@fullstop\/guard$/,
  // The command. It also bundles the part about the suite, and the providers of the demo.
  cli: /^@fullstop\//,
  "journal-file": /^@fullstop\/(core|loop(\/journal)?)$/,
  "journal-postgres": /^@fullstop\/(core(\/adapter)?|loop(\/journal)?)$/,
  "journal-sqlite": /^@fullstop\/(core(\/adapter)?|loop(\/journal)?)$/,
  otel: /^@fullstop\/(core(\/adapter)?|loop)$/,
  inspect: /^@fullstop\/(core(\/adapter)?|loop)$/,
  lint: /^@fullstop\/core(\/adapter)?$/,
  restate: /^@fullstop\/(core(\/adapter)?|loop(\/journal)?)$/,
  mcp: /^@fullstop\/(core(\/adapter)?|loop)$/,
  ui: /^@fullstop\/(core(\/adapter)?|loop)$/,
  provider: /^@fullstop\/(core(\/adapter)?|provider-[^/]+\/(protocol|reply))$/,
};
/**
 * The highest number of third-party dependencies: none for the core, the vendor's SDK for a
 * provider. Optional ones do not count.
 */
const maxForeignPackages: Readonly<Record<string, number>> = { core: 0, provider: 1 };

/**
 * What the sources of a package may import of it: sources, and modules that are made from fixtures.
 */
const ownFolders: readonly string[] = ["src", "fixtures"];

const kindOf = ({ short }: Package): string => (short.startsWith("provider-") ? "provider" : short);
const nameOf = (specifier: string): string =>
  specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
const declared = ({ manifest }: Package): readonly string[] =>
  Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies, ...manifest.bundled });
/** What a user installs only for one entry point. */
const isOptional = ({ manifest }: Package, name: string): boolean =>
  manifest.peerDependenciesMeta?.[name]?.optional === true;

/** Core depends on no package, and the other packages only on core. */
export const dependencies: Rule = (files) =>
  packagesOf(files).flatMap((one) => {
    const kind = kindOf(one);
    const allowed = allowedPackages[kind];
    if (allowed === undefined) return [`${one.folder}: the dependency rule does not name it`];
    const foreign = declared(one).filter(
      (name) => !name.startsWith("@fullstop/") && !isOptional(one, name),
    );
    const most = maxForeignPackages[kind] ?? Number.POSITIVE_INFINITY;
    return [
      ...declared(one)
        .filter(
          (name) =>
            name.startsWith("@fullstop/") &&
            !allowed.test(name) &&
            !["protocol", "journal"].some((entry) => allowed.test(`${name}/${entry}`)),
        )
        .map((name) => `${one.folder} may not depend on ${name}`),
      ...(foreign.length > most
        ? [`${one.folder} depends on ${foreign.join(", ")}; ${most} allowed`]
        : []),
      ...sourcesOf(files, one.folder).flatMap(([path, text]) =>
        wrongImports(one, path, text).map((specifier) => `${path} may not import ${specifier}`),
      ),
    ];
  });

function wrongImports(one: Package, path: string, text: string): readonly string[] {
  return specifiers(text).filter((specifier) => {
    if (specifier.startsWith(".")) {
      const target = join(dirname(path), specifier);
      return !ownFolders.some((folder) => target.startsWith(`${one.folder}/${folder}/`));
    }
    if (specifier.startsWith("node:")) return false;
    if (specifier.startsWith("#")) return one.manifest.imports?.[specifier] === undefined;
    if (specifier.startsWith("@fullstop/"))
      return (
        nameOf(specifier) !== one.manifest.name &&
        !(allowedPackages[kindOf(one)]?.test(specifier) ?? false)
      );
    return !declared(one).includes(nameOf(specifier));
  });
}

/** No folder of core and the loop needs another both ways, so that one is read after the other. */
export const oneWay: Rule = (files) =>
  ["packages/core", "packages/loop"].flatMap((folder) => {
    const needs = new Set(sourcesOf(files, folder).flatMap(neededFolders));
    return [...needs].filter((need) => needs.has(need.split(arrow).reverse().join(arrow)));
  });

const arrow = " needs ";
const neededFolders = ([path, text]: readonly [string, string]): readonly string[] =>
  specifiers(text)
    .filter((specifier) => specifier.startsWith("."))
    .map((specifier) => [dirname(path), dirname(join(dirname(path), specifier))])
    .filter(([from, to]) => from !== to)
    .map((pair) => pair.join(arrow));

const specifiers = (text: string): readonly string[] =>
  [...text.matchAll(/\b(?:from|import)\b\s*\(?\s*["']([^"'\n]+)["']/g)].map(
    (found) => found[1] ?? "",
  );
