import { packagesOf, type Rule } from "./files.ts";

/** The oldest Node that `pnpm runtimes` asks, and those that need a newer one for their API. */
const testedNode = /^>=22\.(?:12|13)$/;

/** A published package has a README, a license, and no older Node than the tests have. */
export const published: Rule = (files) =>
  packagesOf(files).flatMap(({ folder, manifest }) => [
    ...(files.has(`${folder}/README.md`) ? [] : [`${folder}/README.md is missing`]),
    ...(manifest.license === "MIT" ? [] : [`${folder}/package.json names no license`]),
    ...(manifest.private || testedNode.test(manifest.engines?.node ?? "")
      ? []
      : [`${folder}/package.json: engines.node is not a version that is tested`]),
  ]);

const source = "@fullstop/source";

/** Sources that are exported as such are only for this repository. */
const isPublished = ([, target]: readonly [string, unknown]): boolean =>
  typeof target !== "string" || !target.endsWith(".ts");

/**
 * The published exports equal the exports inside the repository, without the path to the sources.
 */
export const exportsAgree: Rule = (files) =>
  packagesOf(files).flatMap(({ folder, manifest }) => {
    const inside = Object.entries(manifest.exports ?? {});
    const without = inside.filter(isPublished).map(([door, target]) => {
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
    const agree =
      JSON.stringify(Object.fromEntries(without)) ===
      JSON.stringify(manifest.publishConfig?.exports);
    return [
      ...missing,
      ...(agree || manifest.private
        ? []
        : [`${folder}/package.json: publishConfig.exports differs from exports`]),
    ];
  });

/** More folders than this, and a newcomer does not look into each. */
const mostTools = 12;

/** The tools are few, and each says what it is for. */
export const tools: Rule = (files) => {
  const folders = [...files.keys()].flatMap((path) => toolManifest.exec(path)?.[1] ?? []);
  const count = folders.filter((folder) => folder.startsWith("tooling/")).length;
  return [
    ...folders.flatMap((folder) =>
      files.has(`${folder}/README.md`) ? [] : [`${folder}/README.md is missing`],
    ),
    ...(count > mostTools ? [`tooling has ${count} folders, and may have ${mostTools}`] : []),
  ];
};
const toolManifest = /^((?:tooling|tests)\/[^/]+)\/package\.json$/;
