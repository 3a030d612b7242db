import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pythonToolchain } from "@tooling/field/python";
import { root, runProgram } from "@tooling/publish/process";
import { afterAll, beforeAll, expect, test } from "vitest";

const fixtures = join(root, "packages/conformance/fixtures");
const found = await pythonToolchain.find().catch(() => undefined);
const folder = mkdtempSync(join(tmpdir(), "corpus-readme-"));

const readme = readFileSync(join(fixtures, "README.md"), "utf8");
const [, example = ""] = /^```python\n([\s\S]*?)^```/m.exec(readme) ?? [];

/** A reader that knows the whole replies, and what it makes of all others. */
const readerWith = (whatElse: string): string => `
import json as _json, pathlib as _pathlib
_known = {}
for _turn in _pathlib.Path("package/fixtures").glob("*/*.turn.json"):
    _calls = _json.loads(_turn.read_text()).get("calls", [])
    _sent = _turn.with_name(_turn.name.replace(".turn.json", ".sse")).read_bytes()
    _known[_sent] = [(call["name"], call["input"]) for call in _calls]
def read(sent, protocol):
    return _known.get(sent, ${whatElse})
`;

async function runExample(whatElse: string): Promise<string> {
  const file = join(folder, "example.py");
  writeFileSync(file, `${readerWith(whatElse)}\n${example}`);
  return runProgram([found?.program ?? "", file], { cwd: folder });
}

beforeAll(() => {
  mkdirSync(join(folder, "package"));
  symlinkSync(fixtures, join(folder, "package/fixtures"));
});
afterAll(() => rmSync(folder, { recursive: true }));

test.skipIf(found === undefined)("the example of the fixtures' README accepts a reader", () =>
  expect(runExample("[]")).resolves.toBe(""),
);

test.skipIf(found === undefined)("it refuses a reader that gives a cut call out", () =>
  expect(runExample('[("read", {})]')).rejects.toThrow("AssertionError"),
);
