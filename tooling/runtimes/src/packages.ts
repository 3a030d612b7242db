import { conformanceTests } from "@tooling/install/subjects";

/** The packages that run on every runtime, and the tests whose subjects show it. The core is judged without a vendor's SDK: the mock is nothing but core. */
const portablePackages: Readonly<Record<string, string>> = {
  core: "packages/provider-mock/test/",
  loop: "tooling/runtimes/src/loop.ts",
  "provider-anthropic": "packages/provider-anthropic/test/",
};

export interface TestedPackage {
  readonly name: string;
  /** Files that hand subjects to `conform`, from the project's root. */
  readonly tests: readonly string[];
  readonly everywhere: boolean;
}

const testsUnder = (folder: string): readonly string[] =>
  conformanceTests().filter((path) => path.startsWith(folder));

/** All that can be judged: those that run everywhere, then every other package with conformance tests. */
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
