import { type Files, packagesOf, type Rule, sourcesOf } from "./files.ts";

const itsOwn = ["stops.ts", "errors.ts", "index.ts"];
const protocolFiles = ["decode.ts", "encode.ts"];

/** Providers that are not built like the others, and why. */
const exempt: Readonly<Record<string, string>> = {
  "provider-copilot":
    "its words and codes are those of the three protocols: it holds who speaks them, and how they are asked",
  "provider-mock": "there is no native protocol behind it: its script is the reply",
  "provider-openai-compatible": "it is many hosts: what each does differently is a row",
};

const template = "tooling/new-provider/template";

/** The repository with a provider in it as the template makes it. */
export const withTemplate = (files: Files): Files =>
  new Map([
    ...files,
    ...[...files].flatMap(([path, text]) =>
      path.startsWith(`${template}/`) ? [[made(path), text] as const] : [],
    ),
  ]);
const made = (path: string): string => path.replace(template, "packages/provider-acme");

const providerFolders = (files: Files): readonly string[] =>
  packagesOf(files).flatMap(({ folder, short }) =>
    short.startsWith("provider-") && !Object.hasOwn(exempt, short) ? [folder] : [],
  );

/** Who knows one provider knows them all. */
export const providerShape: Rule = (files) =>
  providerFolders(files)
    .flatMap((folder) => [
      ...protocolsOf(files, `${folder}/src`).flatMap((protocol) =>
        [...itsOwn, ...(borrows(files, folder) ? [] : protocolFiles)]
          .map((file) => `${protocol}/${file}`)
          .filter((path) => !files.has(path) && !files.has(path.replace(/\.ts$/, "/index.ts"))),
      ),
      ...[`${folder}/package.json`, `${folder}/README.md`].filter((path) => !files.has(path)),
      ...(judged(files, folder) ? [] : [`${folder}/test/conformance.test.ts`]),
    ])
    .map((path) => `${path} is missing`);

/** Who speaks another provider's protocol has its decoder and its encoder from there. */
const borrows = (files: Files, folder: string): boolean =>
  sourcesOf(files, folder).some(([, text]) =>
    /from "@fullstop\/provider-[^/"]+\/(protocol|reply)"/.test(text),
  );

/** The suite is asked about it. */
const judged = (files: Files, folder: string): boolean =>
  [...files].some(
    ([path, text]) =>
      path.startsWith(`${folder}/test/`) &&
      path.endsWith("conformance.test.ts") &&
      /^\s*conform\(/m.test(text),
  );

/** The settings of all providers are those of the template: whole files, and what a package.json says that is not its own. */
export const sameSettings: Rule = (files) =>
  packagesOf(files)
    .filter(({ short }) => short.startsWith("provider-"))
    .flatMap(({ folder, short }) => {
      const names = (path: string): string =>
        (files.get(path) ?? "").replaceAll(short, "provider-acme");
      const [mine, wanted] = [folder, template].map(
        (home) => JSON.parse(names(`${home}/package.json`)) as Readonly<Record<string, unknown>>,
      );
      const keys = Object.keys({ ...mine, ...wanted }).filter((key) => !ownKeys.test(key));
      return [
        ...["tsconfig.json", "tsconfig.build.json", "vitest.config.ts"]
          .filter((file) => files.get(`${folder}/${file}`) !== files.get(`${template}/${file}`))
          .map((file) => `${folder}/${file} differs from the template's`),
        ...keys
          .filter((key) => JSON.stringify(mine?.[key]) !== JSON.stringify(wanted?.[key]))
          .map((key) => `${folder}/package.json: ${key} differs from the template's`),
      ];
    });
const ownKeys =
  /^(name|version|description|keywords|exports|publishConfig|.*[dD]ependencies(Meta)?)$/;

/** A provider of two protocols has a folder for each. */
function protocolsOf(files: Files, source: string): readonly string[] {
  const folders = [...files.keys()].flatMap((path) =>
    path.startsWith(`${source}/`) && path.endsWith("/stops.ts")
      ? [path.slice(0, -"/stops.ts".length)]
      : [],
  );
  return folders.length === 0 ? [source] : folders;
}

/** What a provider exports has the names that its folder and its files promise. The tables of one protocol among several begin with its name. */
export const exportNames: Rule = (files) =>
  providerFolders(files).flatMap((folder) => {
    const factory = camel(folder.replace("packages/provider-", ""));
    const index = files.get(`${folder}/src/index.ts`) ?? "";
    const named = new RegExp(
      `export (function|const) ${factory}\\b|export \\{[^}]*\\b${factory}\\b[^}]*\\}`,
    );
    const tables = sourcesOf(files, folder).flatMap(([path, text]) => {
      const [, protocol, file] = /\/src\/(?:(.+)\/)?(stops|errors)\.ts$/.exec(path) ?? [];
      if (file === undefined) return [];
      const table = protocol === undefined ? file : camel(`${protocol}-${file}`);
      return text.includes(`export const ${table}: `)
        ? []
        : [`${path} exports no table called ${table}`];
    });
    return [
      ...(named.test(index) ? [] : [`${folder}/src/index.ts exports nothing called ${factory}`]),
      ...tables,
    ];
  });

const camel = (kebab: string): string =>
  kebab.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());
