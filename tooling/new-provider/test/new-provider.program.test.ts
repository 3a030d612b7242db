import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { namesOf, rename } from "../src/names.ts";
import { createWorkspace, type Workspace } from "./workspace.ts";

let scratch: Workspace;
beforeAll(() => {
  scratch = createWorkspace();
});
afterAll(() => scratch.remove());
const before: readonly string[] = ["provider-taken"];

describe("a created provider", () => {
  const folder = "packages/provider-north-star";
  beforeAll(async () => {
    const { code, output } = await scratch.newProvider(["north-star"], 'echo "$@" > installed');
    expect(output).toContain("packages/provider-north-star is a provider that passes the suite.");
    expect(output.match(/^ {2}\d\. /gm)?.length).toBeLessThanOrEqual(7);
    expect(code).toBe(0);
  });

  test("has its own name in each file, and not the name of the template", async () => {
    expect(JSON.parse(scratch.read(`${folder}/package.json`))).toMatchObject({
      name: "@fullstop/provider-north-star",
    });
    expect(scratch.read(`${folder}/src/index.ts`)).toContain(
      "export function northStar(model: string, options: NorthStarOptions = {})",
    );
    expect(scratch.read(`${folder}/README.md`)).toContain(
      'import { northStar } from "@fullstop/provider-north-star";',
    );
    const { output } = await scratch.run(folder, "typescript", ["-p", ".", "--listFilesOnly"]);
    const own = output.split("\n").filter((path) => path.includes(`${folder}/`));
    expect(own.length).toBeGreaterThan(5);
    for (const path of own)
      expect(scratch.read(path.slice(path.indexOf(folder)))).not.toMatch(/acme/i);
  });
  test("may have a name that contains the name of the template", () => {
    expect(
      rename('import { acme } from "@fullstop/provider-acme"; // Acme', namesOf("acme2")),
    ).toBe('import { acme2 } from "@fullstop/provider-acme2"; // Acme2');
  });
  test("has a changeset, and is installed", () => {
    expect(scratch.read(".changeset/provider-north-star.md")).toBe(
      '---\n"@fullstop/provider-north-star": minor\n---\n\nAn adapter for North Star.\n',
    );
    expect(scratch.read("installed")).toBe("install\n");
  });
  test("is formatted and passes the linter", async () => {
    const { code, output } = await scratch.run(".", "@biomejs/biome", [
      "check",
      "--vcs-enabled=false",
      "--error-on-warnings",
      folder,
    ]);
    expect(output).toContain("No fixes applied");
    expect(code).toBe(0);
  });
  test("passes the suite", async () => {
    const { code, output } = await scratch.run(folder, "vitest", ["run"]);
    expect(output).toMatch(/north-star-chat: \d{4} checks/);
    expect(code).toBe(0);
  });
  test("compiles, with the example of its README", async () => {
    const [, shown = "nothing"] =
      /^```ts\n([\s\S]*?)^```/m.exec(scratch.read(`${folder}/README.md`)) ?? [];
    scratch.write(`${folder}/test/readme.ts`, shown);
    expect(await scratch.run(folder, "typescript", ["-p", "."])).toEqual({ code: 0, output: "" });
  });
  test("is not created twice", async () => {
    const { code, output } = await scratch.newProvider(["north-star"]);
    expect(output).toContain("packages/provider-north-star exists already");
    expect(code).toBe(2);
    expect(scratch.entries()).toContain("provider-north-star");
  });
});

describe.for(["ndjson", "aws"])("a provider whose framing is %s", (framing) => {
  const folder = `packages/provider-north-${framing}`;
  beforeAll(async () => {
    const args = [`north-${framing}`, "--framing", framing, "--no-install"];
    expect(await scratch.newProvider(args)).toMatchObject({ code: 0 });
  });

  test("passes the suite in its framing", async () => {
    expect(scratch.read(`${folder}/test/wire.ts`)).toContain(`framing: "${framing}"`);
    const { code, output } = await scratch.run(folder, "vitest", ["run"]);
    expect(output).toMatch(/north-\w+-chat: \d{4} checks/);
    expect(code).toBe(0);
  });
  test("compiles, and passes the linter", async () => {
    expect(await scratch.run(folder, "typescript", ["-p", "."])).toEqual({ code: 0, output: "" });
    const linter = ["check", "--vcs-enabled=false", "--error-on-warnings", folder];
    expect(await scratch.run(".", "@biomejs/biome", linter)).toMatchObject({ code: 0 });
  });
});

describe("a provider that cannot be created", () => {
  let empty: Workspace;
  beforeAll(() => {
    empty = createWorkspace();
  });
  afterAll(() => empty.remove());

  const refused: readonly (readonly [name: string, sentence: string])[] = [
    ["North", "is not a valid name"],
    ["2fast", "is not a valid name"],
    ["../up", "is not a valid name"],
    ["a".repeat(31), "is not a valid name"],
    ["provider-acme", 'Remove "provider-": pnpm new-provider acme'],
    ["taken", "packages/provider-taken exists already"],
    [
      "encode",
      'has another meaning in the code of a provider: add a word, for example "encode-ai"',
    ],
    ["switch", "has another meaning"],
    ["--name", "Unknown option"],
    ["--framing=grpc", '--framing is one of sse, ndjson, aws, and not "grpc"'],
  ];
  test.each(refused)("%s is refused with a sentence", async (name, sentence) => {
    const { code, output } = await empty.newProvider([name]);
    expect(output).toContain(sentence);
    expect(code).toBe(2);
    expect(empty.entries()).toEqual(before);
  });

  test("leaves no files if the install fails", async () => {
    const lockfile = empty.read("pnpm-lock.yaml");
    const { code, output } = await empty.newProvider(
      ["acme"],
      "ls packages > seen; echo half > pnpm-lock.yaml; exit 1",
    );
    expect(empty.read("seen")).toBe("provider-acme\nprovider-taken\n");
    expect(output).toContain(
      "The install failed, so packages/provider-acme and .changeset/provider-acme.md were removed.",
    );
    expect(code).toBe(1);
    expect(empty.entries()).toEqual(before);
    expect(empty.read("pnpm-lock.yaml")).toBe(lockfile);
  });
  test("leaves no files if a signal ends it", async () => {
    const { code } = await empty.newProvider(["acme"], "kill -TERM $PPID; exec sleep 60");
    expect(code).toBe(1);
    expect(empty.entries()).toEqual(before);
  });
  test("--help prints the help and creates no files", async () => {
    const { code, output } = await empty.newProvider(["--help"]);
    expect(output).toContain("pnpm new-provider <name>");
    expect(code).toBe(0);
    expect(empty.entries()).toEqual(before);
  });
});
