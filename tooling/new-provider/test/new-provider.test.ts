import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { namesOf, renamed } from "../src/names.ts";
import { type Workspace, workspace } from "./workspace.ts";

let scratch: Workspace;
beforeAll(() => {
  scratch = workspace();
});
afterAll(() => scratch.remove());
const before: readonly string[] = ["provider-taken"];

describe("a provider that is made", () => {
  const folder = "packages/provider-north-star";
  beforeAll(async () => {
    const { code, said } = await scratch.newProvider(["north-star"], 'echo "$@" > installed');
    expect(said).toContain("packages/provider-north-star is a provider that passes the suite.");
    expect(said.match(/^ {2}\d\. /gm)?.length).toBeLessThanOrEqual(7);
    expect(code).toBe(0);
  });

  test("has its name everywhere, and the template's nowhere", async () => {
    expect(JSON.parse(scratch.read(`${folder}/package.json`))).toMatchObject({
      name: "@fullstop/provider-north-star",
    });
    expect(scratch.read(`${folder}/src/index.ts`)).toContain(
      "export function northStar(model: string, options: NorthStarOptions = {})",
    );
    expect(scratch.read(`${folder}/README.md`)).toContain(
      'import { northStar } from "@fullstop/provider-north-star";',
    );
    const { said } = await scratch.run(folder, "typescript", ["-p", ".", "--listFilesOnly"]);
    const own = said.split("\n").filter((path) => path.includes(`${folder}/`));
    expect(own.length).toBeGreaterThan(5);
    for (const path of own)
      expect(scratch.read(path.slice(path.indexOf(folder)))).not.toMatch(/acme/i);
  });
  test("may have a name with that of the template in it", () => {
    expect(
      renamed('import { acme } from "@fullstop/provider-acme"; // Acme', namesOf("acme2")),
    ).toBe('import { acme2 } from "@fullstop/provider-acme2"; // Acme2');
  });
  test("has a changeset, and is installed", () => {
    expect(scratch.read(".changeset/provider-north-star.md")).toBe(
      '---\n"@fullstop/provider-north-star": minor\n---\n\nAn adapter for North Star.\n',
    );
    expect(scratch.read("installed")).toBe("install\n");
  });
  test("is formatted and passes the linter", async () => {
    const { code, said } = await scratch.run(".", "@biomejs/biome", [
      "check",
      "--vcs-enabled=false",
      "--error-on-warnings",
      folder,
    ]);
    expect(said).toContain("No fixes applied");
    expect(code).toBe(0);
  });
  test("passes the suite", async () => {
    const { code, said } = await scratch.run(folder, "vitest", ["run"]);
    expect(said).toMatch(/north-star-chat: \d{4} checks/);
    expect(code).toBe(0);
  });
  test("compiles, and so does what its README shows", async () => {
    const [, shown = "nothing"] =
      /^```ts\n([\s\S]*?)^```/m.exec(scratch.read(`${folder}/README.md`)) ?? [];
    scratch.write(`${folder}/test/readme.ts`, shown);
    expect(await scratch.run(folder, "typescript", ["-p", "."])).toEqual({ code: 0, said: "" });
  });
  test("is not made twice", async () => {
    const { code, said } = await scratch.newProvider(["north-star"]);
    expect(said).toContain("packages/provider-north-star is there already");
    expect(code).toBe(2);
    expect(scratch.made()).toContain("provider-north-star");
  });
});

describe("a provider that cannot be made", () => {
  let empty: Workspace;
  beforeAll(() => {
    empty = workspace();
  });
  afterAll(() => empty.remove());

  const refused: readonly (readonly [name: string, sentence: string])[] = [
    ["North", "is no name for a provider"],
    ["2fast", "is no name for a provider"],
    ["../up", "is no name for a provider"],
    ["a".repeat(31), "is no name for a provider"],
    ["provider-acme", 'Leave "provider-" out: pnpm new-provider acme'],
    ["taken", "packages/provider-taken is there already"],
    ["encode", 'means something else in the code of a provider: add a word, like "encode-ai"'],
    ["switch", "means something else"],
    ["--name", "Unknown option"],
  ];
  test.each(refused)("%s is refused with a sentence", async (name, sentence) => {
    const { code, said } = await empty.newProvider([name]);
    expect(said).toContain(sentence);
    expect(code).toBe(2);
    expect(empty.made()).toEqual(before);
  });

  test("leaves nothing behind where the install fails", async () => {
    const lockfile = empty.read("pnpm-lock.yaml");
    const { code, said } = await empty.newProvider(
      ["acme"],
      "ls packages > seen; echo half > pnpm-lock.yaml; exit 1",
    );
    expect(empty.read("seen")).toBe("provider-acme\nprovider-taken\n");
    expect(said).toContain(
      "The install failed, so packages/provider-acme and .changeset/provider-acme.md are gone again.",
    );
    expect(code).toBe(1);
    expect(empty.made()).toEqual(before);
    expect(empty.read("pnpm-lock.yaml")).toBe(lockfile);
  });
  test("leaves nothing behind where somebody ends it", async () => {
    const { code } = await empty.newProvider(["acme"], "kill -TERM $PPID; exec sleep 60");
    expect(code).toBe(1);
    expect(empty.made()).toEqual(before);
  });
  test("asked for help, it says what it does and makes nothing", async () => {
    const { code, said } = await empty.newProvider(["--help"]);
    expect(said).toContain("pnpm new-provider <name>");
    expect(code).toBe(0);
    expect(empty.made()).toEqual(before);
  });
});
