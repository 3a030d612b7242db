import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { builtinSubject, recordingsIn, replay } from "@fullstop/conformance/replay";
import { mock } from "@fullstop/provider-mock";
import { expect, test } from "vitest";
import {
  type FixtureOptions,
  type RecordingError,
  type ReplyView,
  toFixture,
  viewRecording,
} from "../src/view/index.ts";
import { type Play, startProvider, type WireName, wireNames } from "./provider.ts";
import { recorded, testFolder } from "./recorded.ts";
import { toolNamed } from "./recorded-tools.ts";

const packageFolder = fileURLToPath(new URL("..", import.meta.url));
const call = { name: "write", id: "call_1", input: { path: "/srv/a", content: "é🧊" } };

/** Replies of a run, and what a saved one is called. */
const plays: Readonly<Record<string, Play>> = {
  ran: { blocks: [{ text: "I write." }, call] },
  dropped: { blocks: [{ text: "I write." }, call], events: -2, fault: "reset" },
  ended: { blocks: [{ text: "Done." }] },
};

/** The replies of one run with this provider, by their names. */
async function recordReplies(name: WireName): Promise<Readonly<Record<string, ReplyView>>> {
  const { adapter } = await startProvider(name, Object.values(plays));
  const { recording } = await recorded({
    adapter,
    request: { maxTokens: 1024 },
    tools: [toolNamed("write")],
  });
  const replies = viewRecording(recording).runs[0]?.turns.flatMap((turn) => turn.replies) ?? [];
  expect(replies).toHaveLength(3);
  return Object.fromEntries(
    Object.keys(plays).map((key, index) => [key, replies[index] as ReplyView]),
  );
}

function save(folder: string, reply: ReplyView | undefined, options: FixtureOptions): void {
  mkdirSync(folder, { recursive: true });
  for (const file of toFixture(reply as ReplyView, options))
    writeFileSync(join(folder, file.name), file.text);
}

/** Runs all saved tests in a process of vitest, and gives the state of each file. */
async function runSavedTests(folder: string): Promise<Readonly<Record<string, string>>> {
  symlinkSync(join(packageFolder, "node_modules"), join(folder, "node_modules"));
  const conditions = { conditions: ["@fullstop/source"] };
  const config = { resolve: conditions, ssr: { resolve: conditions } };
  writeFileSync(join(folder, "vitest.config.mjs"), `export default ${JSON.stringify(config)};`);
  const vitest = join(
    createRequire(import.meta.url).resolve("vitest/package.json"),
    "../vitest.mjs",
  );
  const report = join(folder, "report.json");
  // One worker without isolation loads each SDK once.
  const worker = ["--no-isolate", "--maxWorkers=1"];
  const args = ["run", "--root", folder, ...worker, "--reporter=json", `--outputFile=${report}`];
  // It exits with 1 if a test fails, and some of these must fail.
  await promisify(execFile)(process.execPath, [vitest, ...args], { cwd: folder }).catch(() => {});
  const { testResults } = JSON.parse(readFileSync(report, "utf8"));
  return Object.fromEntries(
    testResults.map(({ name, status }: { name: string; status: string }) => [
      name.slice(name.indexOf(folder) + folder.length + 1).replace(".test.ts", ""),
      status,
    ]),
  );
}

test("saved replies of every protocol pass their test, and fail it while the verdict is wrong", async () => {
  const folder = await testFolder();
  const states: Record<string, string> = {};
  for (const name of wireNames) {
    const replies = await recordReplies(name);
    for (const [key, reply] of Object.entries(replies)) {
      save(join(folder, name), reply, { name: key });
      states[`${name}/${key}`] = "passed";
    }
    save(join(folder, "wrong", name), replies["ran"], { name: "ran", expected: "withheld" });
    states[`wrong/${name}/ran`] = "failed";
    const { recording } = await recorded({
      adapter: (await startProvider(name, [{ blocks: [call], stop: "length", output: 64 }]))
        .adapter,
      request: { maxTokens: 64 },
      tools: [toolNamed("write")],
    });
    const cut = viewRecording(recording).runs[0]?.turns[0]?.replies[0];
    save(join(folder, "wrong", name), cut, { name: "cut", expected: "call" });
    states[`wrong/${name}/cut`] = "failed";
  }
  expect(await runSavedTests(folder)).toEqual(states);
});

test.each(wireNames)(
  "the suite replays saved replies of %s, and notices a wrong turn",
  async (name) => {
    const folder = await testFolder();
    for (const [key, reply] of Object.entries(await recordReplies(name)))
      save(folder, reply, { name: key });
    const statuses = async (): Promise<readonly string[]> => {
      const { verdicts } = await replay(
        await builtinSubject(name, packageFolder),
        await recordingsIn(folder),
      );
      const list: string[] = [];
      for await (const { clause, status } of verdicts({ only: "replay", sample: 5 }))
        list.push(`${clause.id} ${status}`);
      return list;
    };
    expect(await statuses()).toEqual([
      "replay.turn kept",
      "replay.ended kept",
      "replay.pieces kept",
      "replay.body not-asked",
    ]);
    const file = join(folder, "ran.turn.json");
    writeFileSync(file, readFileSync(file, "utf8").replace("I write.", "I wrote."));
    expect((await statuses())[0]).toBe("replay.turn broken");
  },
);

test("what cannot be saved says why", async () => {
  const kindOf = (reply: ReplyView | undefined, options: FixtureOptions = {}): string => {
    try {
      toFixture(reply as ReplyView, options);
      return "saved";
    } catch (thrown) {
      return (thrown as RecordingError).message;
    }
  };
  const repliesOf = async (options: Parameters<typeof recorded>[0]) =>
    viewRecording((await recorded(options)).recording).runs[0]?.turns[0]?.replies ?? [];
  const { adapter } = await startProvider("anthropic", [{ status: 400 }]);
  expect(kindOf((await repliesOf({ adapter }))[0])).toContain("No event of the provider");
  expect(kindOf((await repliesOf({ adapter: mock(["Done."]) }))[0])).toContain("protocol mock");
  const cut = await startProvider("anthropic", [{ fixture: "cap-in-call" }]);
  const [reply] = await repliesOf({ adapter: cut.adapter, request: { maxTokens: 1024 } });
  expect(kindOf(reply, { expected: "call" })).toContain("Only a repair would run it");
  expect(kindOf(reply, { name: "../a" })).toContain("cannot be the name");
  expect(kindOf(reply, { expected: "maybe" } as never)).toContain("`expected` of `toFixture`");
  expect(kindOf(reply)).toBe("saved");
});
