#!/usr/bin/env node
// Bundles the package in the current folder: its entry points and programs, and their declarations.
import { cpSync, readdirSync } from "node:fs";
import { join } from "node:path";
import {
  type OutputOptions,
  type RolldownPluginOption,
  rolldown,
  type TreeshakingOptions,
} from "rolldown";
import { dts } from "rolldown-plugin-dts";
import { inlineFixtures } from "./inline-fixtures.ts";
import { bundled, dependenciesChunk, installed, manifest, source } from "./manifest.ts";

/** `./dist/journal/index.js` is `journal/index`. */
const nameOf = (built: string): string => built.replace(/^\.\/dist\/|\.js$/g, "");
const entries = Object.values(manifest.exports).flatMap((target) =>
  typeof target === "string" ? [] : [[nameOf(target.default), target[source]] as const],
);
const programs = Object.values(manifest.bin ?? {}).map(
  (built) => [nameOf(built), `./src/${nameOf(built)}.ts`] as const,
);
const isInstalled = (id: string): boolean =>
  /^(node:|#)/.test(id) || installed.some((name) => id === name || id.startsWith(`${name}/`));
/** Packages of this repository that are only dev dependencies are brought along. */
const staysOutside = (id: string): boolean =>
  isInstalled(id) || !(/^(\.|\/|\w:|@fullstop\/)/.test(id) || bundled.includes(id));

const isBundledDependency = (path: string): boolean =>
  bundled.some((name) => path.includes(`/node_modules/${name}/`));
const notices = Object.entries(manifest.bundled ?? {}).map((entry) => `/*! ${entry.join(": ")} */`);

/**
 * The main entry point of this package loads a part of itself later. All that the two share is one
 * chunk, because each file takes as long to load as 50 kB of code.
 */
const isInParts = manifest.name === "@fullstop/loop";

/** A licence asks for its text beside each copy. */
function copyLicences(modules: readonly string[]): void {
  const folders = new Set(
    modules.flatMap((id) => /.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(id)?.[0] ?? []),
  );
  for (const folder of folders)
    for (const file of readdirSync(folder).filter((name) => /^licen[cs]e/i.test(name)))
      cpSync(
        join(folder, file),
        join("dist/licences", folder.split("/node_modules/").at(-1) ?? "", file),
      );
}

const treeshake: TreeshakingOptions = {
  moduleSideEffects: [{ external: true, sideEffects: false }],
};

/** What several entry points need is a chunk of its own, so that a class or a table exists once. */
async function bundle(plugins: RolldownPluginOption, options: OutputOptions): Promise<void> {
  const build = await rolldown({
    input: Object.fromEntries([...entries, ...programs]),
    platform: "neutral",
    transform: { target: "es2023" },
    resolve: { conditionNames: [source, "import"], mainFields: ["module", "main"] },
    external: staysOutside,
    checks: { pluginTimings: false },
    // The plugin of the declarations replaces the option, and unused imports then stay.
    plugins: [plugins, { name: "treeshake", options: (given) => ({ ...given, treeshake }) }],
  });
  const { output } = await build.write({
    dir: "dist",
    chunkFileNames: "shared-[name].js",
    sourcemap: true,
    // The package has `src`.
    sourcemapExcludeSources: true,
    ...options,
  });
  await build.close();
  const imported = output.flatMap((file) =>
    file.type === "chunk" ? [...file.imports, ...file.dynamicImports] : [],
  );
  for (const file of output) if (file.type === "chunk") copyLicences(file.moduleIds);
  const files = new Set(output.map(({ fileName }) => fileName));
  const isWritten = (id: string): boolean =>
    files.has(id) || files.has(id.replace(/\.js$/, ".d.ts"));
  const missing = imported.filter((id) => !isWritten(id) && !isInstalled(id));
  if (missing.length > 0)
    throw new Error(`${manifest.name} must have in its dependencies: ${missing.join(", ")}`);
}

await bundle([inlineFixtures("fixtures")], {
  cleanDir: true,
  comments: { annotation: true, legal: true, jsdoc: false },
  banner: ({ name }) => (name === dependenciesChunk ? notices.join("\n") : ""),
  codeSplitting: {
    groups: [
      { name: dependenciesChunk, test: isBundledDependency },
      { name: "parts", minShareCount: 2, test: () => isInParts },
    ],
  },
});
/** A package that is only a command has no declarations. */
if (entries.length > 0)
  await bundle([dts({ tsconfig: "tsconfig.build.json", dtsOnly: true, sourcemap: true })], {});
