import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const here = fileURLToPath(new URL("..", import.meta.url));

const compile = async (typescript: string, project: string): Promise<string> => {
  const args = [join(here, "node_modules", typescript, "bin/tsc"), "-p", project];
  const running = promisify(execFile)(process.execPath, args, { cwd: here });
  return running.then(
    () => "compiled",
    ({ stdout }: { readonly stdout: string }) => stdout,
  );
};

it.each([
  ["typescript-5.9", "5.9."],
  ["typescript", "7."],
])(
  "compiles all programs under strict with %s",
  async (typescript, version) => {
    const manifest = `${typescript}/package.json`;
    const { default: installed } = (await import(manifest, { with: { type: "json" } })) as {
      readonly default: { readonly version: string };
    };
    expect(installed.version.startsWith(version)).toBe(true);
    expect(await compile(typescript, "tsconfig.programs.json")).toBe("compiled");
  },
  240_000,
);

it.each(["typescript-5.9", "typescript"])(
  "%s finds a wrong program",
  async (typescript) => {
    const folder = mkdtempSync(join(here, "wrong-"));
    try {
      writeFileSync(join(folder, "wrong.ts"), "export const n: number = 'one';\n");
      writeFileSync(
        join(folder, "tsconfig.json"),
        JSON.stringify({ extends: "../tsconfig.json", include: ["wrong.ts"] }),
      );
      expect(await compile(typescript, folder)).toContain("not assignable to type 'number'");
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
  240_000,
);
