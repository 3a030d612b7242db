import { conformanceTests } from "@tooling/install/subjects";

/**
 * The packages that run on each runtime, and their tests. The mock provider represents the core,
 * because it uses no SDK. The providers are one for each framing.
 */
const portablePackages: Readonly<Record<string, string>> = {
  core: "packages/provider-mock/test/",
  guard: "tooling/runtimes/src/guard.ts",
  loop: "tooling/runtimes/src/loop.ts",
  "provider-anthropic": "packages/provider-anthropic/test/",
  "provider-bedrock": "packages/provider-bedrock/test/",
  "provider-ollama": "packages/provider-ollama/test/",
};

export interface TestedPackage {
  readonly name: string;
  /** The files that call `conform`, as paths from the root. */
  readonly tests: readonly string[];
  readonly everywhere: boolean;
}

const testsUnder = (folder: string): readonly string[] =>
  conformanceTests().filter((path) => path.startsWith(folder));

/** All packages with conformance tests; those that run on each runtime first. */
export function testedPackages(): readonly TestedPackage[] {
  const first = Object.entries(portablePackages).map(([name, at]) => ({
    name,
    tests: at.endsWith(".ts") ? [at] : testsUnder(at),
    everywhere: true,
  }));
  const rest = [...new Set(conformanceTests().map((path) => path.split("/")[1] ?? ""))].filter(
    (name) => !Object.hasOwn(portablePackages, name),
  );
  return [
    ...first,
    ...rest.map((name) => ({ name, tests: testsUnder(`packages/${name}/`), everywhere: false })),
  ];
}
