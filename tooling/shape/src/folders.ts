import { type Files, packagesOf, type Rule } from "./files.ts";

const providerFiles = ["stops.ts", "errors.ts", "decode.ts", "encode.ts", "index.ts"];

/** Providers that are not built like the others, and why. */
const exempt: Readonly<Record<string, string>> = {
  "provider-copilot": "its protocols are those of provider-openai and provider-anthropic: it holds who speaks them, and how they are asked",
  "provider-mock": "there is no native protocol behind it: its script is the reply",
  "provider-openai-compatible": "its protocol is the one of provider-openai: it holds what hosts do differently",
};

/** Who knows one provider knows them all. */
export const providerShape: Rule = (files) =>
  packagesOf(files)
    .filter(({ short }) => short.startsWith("provider-") && !Object.hasOwn(exempt, short))
    .flatMap(({ folder }) =>
      protocolsOf(files, `${folder}/src`).flatMap((protocol) =>
        providerFiles
          .map((file) => `${protocol}/${file}`)
          .filter((path) => !files.has(path) && !files.has(path.replace(/\.ts$/, "/index.ts"))),
      ),
    )
    .map((path) => `${path} is missing`);

/** A provider of two protocols has a folder for each. */
function protocolsOf(files: Files, source: string): readonly string[] {
  const folders = [...files.keys()].flatMap((path) =>
    path.startsWith(`${source}/`) && path.endsWith("/stops.ts") ? [path.slice(0, -"/stops.ts".length)] : [],
  );
  return folders.length === 0 ? [source] : folders;
}

/** A package that is published says what it is and under which terms. */
export const published: Rule = (files) =>
  packagesOf(files).flatMap(({ folder, manifest }) => [
    ...(files.has(`${folder}/README.md`) ? [] : [`${folder}/README.md is missing`]),
    ...(manifest.license === "MIT" ? [] : [`${folder}/package.json names no license`]),
  ]);

const source = "@fullstop/source";

/** The exports inside the repository and the published ones are the same, but for the way to the sources. */
export const exportsAgree: Rule = (files) =>
  packagesOf(files).flatMap(({ folder, manifest }) => {
    const inside = Object.entries(manifest.exports ?? {});
    const without = inside.map(([door, target]) => {
      if (typeof target === "string") return [door, target] as const;
      const { [source]: _, ...rest } = target;
      return [door, rest] as const;
    });
    const missing = inside.flatMap(([, target]) => {
      const path = typeof target === "string" ? target : target[source];
      return path === undefined || files.has(`${folder}/${path.slice(2)}`)
        ? []
        : [`${folder}/package.json exports ${path}, which is missing`];
    });
    const agree = JSON.stringify(Object.fromEntries(without)) === JSON.stringify(manifest.publishConfig?.exports);
    return [...missing, ...(agree ? [] : [`${folder}/package.json: publishConfig.exports differs from exports`])];
  });
