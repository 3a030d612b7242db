import { type Files, packagesOf, type Rule, sourcesOf } from "./files.ts";

const ownFiles = ["stops.ts", "errors.ts", "index.ts"];
const protocolFiles = ["decode.ts", "encode.ts"];

/** Providers with another structure, and the reason. */
const exempt: Readonly<Record<string, string>> = {
  "provider-copilot": "it uses the stop reasons and errors of three other providers",
  "provider-mock": "it has no native protocol: its script is the reply",
  "provider-openai-compatible": "it supports many hosts, each with a row of differences",
  "provider-openai-websocket": "it is a client for the adapter of another provider",
};

const template = "tooling/new-provider/template";

/** The repository with a provider that was made from the template. */
export const withTemplate = (files: Files): Files =>
  new Map([
    ...files,
    ...[...files].flatMap(([path, text]) =>
      path.startsWith(`${template}/`) ? [[providerPath(path), text] as const] : [],
    ),
  ]);
const providerPath = (path: string): string => path.replace(template, "packages/provider-acme");

const providerFolders = (files: Files): readonly string[] =>
  packagesOf(files).flatMap(({ folder, short }) =>
    short.startsWith("provider-") && !Object.hasOwn(exempt, short) ? [folder] : [],
  );

/** All providers have the same structure. */
export const providerShape: Rule = (files) =>
  providerFolders(files)
    .flatMap((folder) => [
      ...protocolsOf(files, `${folder}/src`).flatMap((protocol) =>
        [...ownFiles, ...(importsProtocol(files, folder) ? [] : protocolFiles)]
          .map((file) => `${protocol}/${file}`)
          .filter((path) => !files.has(path) && !files.has(path.replace(/\.ts$/, "/index.ts"))),
      ),
      ...[`${folder}/package.json`, `${folder}/README.md`].filter((path) => !files.has(path)),
      ...(hasConformanceTest(files, folder) ? [] : [`${folder}/test/conformance.test.ts`]),
    ])
    .map((path) => `${path} is missing`);

/** Whether the provider imports the protocol of another provider, with its decoder and encoder. */
const importsProtocol = (files: Files, folder: string): boolean =>
  sourcesOf(files, folder).some(([, text]) =>
    /from "@fullstop\/provider-[^/"]+\/(protocol|reply)"/.test(text),
  );

/** Whether the suite judges the provider. */
const hasConformanceTest = (files: Files, folder: string): boolean =>
  [...files].some(
    ([path, text]) =>
      path.startsWith(`${folder}/test/`) &&
      path.endsWith("conformance.test.ts") &&
      /^\s*conform\(/m.test(text),
  );

/**
 * All providers have the settings of the template: whole files, and the shared members of
 * package.json.
 */
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

/** The folders of the protocols: subfolders if a provider has several protocols. */
function protocolsOf(files: Files, source: string): readonly string[] {
  const folders = [...files.keys()].flatMap((path) =>
    path.startsWith(`${source}/`) && path.endsWith("/stops.ts")
      ? [path.slice(0, -"/stops.ts".length)]
      : [],
  );
  return folders.length === 0 ? [source] : folders;
}

/**
 * A provider exports a factory with its own name, and tables with the names of their files. If it
 * has several protocols, the name of the protocol comes first.
 */
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
