import { conformanceTests } from "../install/subjects.ts";

/**
 * Packages with subjects of their own. The mock provider represents the core, because it uses no
 * SDK.
 */
const ownSubjects: Readonly<Record<string, string>> = {
  core: "packages/provider-mock/test/",
  guard: "tooling/publish/src/runtimes/guard.ts",
  loop: "tooling/publish/src/runtimes/loop.ts",
};

/** Its dialects are tables for the adapter of `provider-openai`, and take ten times as long. */
const onNodeOnly: readonly string[] = ["provider-openai-compatible"];

export interface TestedPackage {
  readonly name: string;
  /** The files that call `conform`, as paths from the root. */
  readonly tests: readonly string[];
  /** Asked on each runtime, not only on Node 22. */
  readonly everywhere: boolean;
}

const testsUnder = (folder: string): readonly string[] =>
  conformanceTests().filter((path) => path.startsWith(folder));

/** All packages with conformance tests. */
export function testedPackages(): readonly TestedPackage[] {
  const own = Object.entries(ownSubjects).map(([name, at]) => ({
    name,
    tests: at.endsWith(".ts") ? [at] : testsUnder(at),
    everywhere: true,
  }));
  const providers = new Set(conformanceTests().map((path) => path.split("/")[1] ?? ""));
  providers.delete("provider-mock"); // it is the row of the core
  const rest = [...providers].map((name) => ({
    name,
    tests: testsUnder(`packages/${name}/`),
    everywhere: !onNodeOnly.includes(name),
  }));
  return [...own, ...rest];
}
