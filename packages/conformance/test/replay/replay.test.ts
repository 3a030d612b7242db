import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type AdapterSubject, report, type Verdict } from "../../src/index.ts";
import { replayClauses } from "../../src/replay/clauses.ts";
import { recordingsIn, replay } from "../../src/replay/replay.ts";
import acme from "../acme.ts";
import { adapterMutants } from "../mutants.ts";

const call = [
  '{"say":"memo","id":"memo_1"}',
  '{"say":"text","text":"Læser 🧊."}',
  '{"say":"tool","n":1,"id":"call_1","name":"read"}',
  '{"say":"input","n":1,"json":"{\\"path\\":\\"/srv/æ\\",\\"lines\\":[1,40]}"}',
  '{"say":"tool_done","n":1}',
  '{"say":"end","why":"tool","tokens":{"in":3,"out":12}}',
];
const done = [
  '{"say":"text","text":"All done."}',
  '{"say":"end","why":"done","tokens":{"in":3,"out":4}}',
];
const said = (payloads: readonly string[]): string =>
  payloads.map((payload) => `data: ${payload}\n\n`).join("");

let parent: string;
let number = 0;
beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), "recordings-"));
});
afterAll(() => rm(parent, { recursive: true }));

async function folderOf(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(parent, `${number++}-`));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return folder;
}

async function verdictOn(
  subject: AdapterSubject,
  only: string,
  files: Readonly<Record<string, string>>,
): Promise<Verdict> {
  const { verdicts } = await replay(subject, await recordingsIn(await folderOf(files)));
  for await (const verdict of verdicts({ only })) return verdict;
  throw new Error(`${only} gave no verdict`);
}

const recorded = {
  "call.sse": said(call),
  "done.jsonl": done.join("\n"),
  "body.json": done[1] ?? "",
  "call.turn.json": JSON.stringify({
    stopReason: "tool-use",
    calls: [{ name: "read", input: { path: "/srv/æ", lines: [1, 40] } }],
    replays: [{ say: "memo", id: "memo_1" }],
  }),
};

describe("recordings", () => {
  test("of a sound adapter keep every clause", async () => {
    const { verdicts } = await replay(acme, await recordingsIn(await folderOf(recorded)));
    const statuses: string[] = [];
    for await (const verdict of verdicts()) statuses.push(`${verdict.clause.id} ${verdict.status}`);
    expect(statuses.filter((status) => !status.endsWith(" kept"))).toEqual([]);
    expect(statuses.length).toBe(replayClauses.length);
  });

  const cutRuns: AdapterSubject = {
    ...acme,
    wire: acme.wire,
    ...adapterMutants
      .find(({ wrong }) => wrong.startsWith("takes the end of the file"))
      ?.subject(acme),
  };
  const broken = (clause: string): AdapterSubject =>
    adapterMutants.find(({ caughtBy }) => caughtBy === clause)?.subject(acme) ?? acme;
  const reading: Readonly<Record<string, AdapterSubject>> = {
    "replay.ended": cutRuns,
    "replay.body": cutRuns,
    "replay.pieces": broken("wire.chunks"),
  };
  const controlled = replayClauses.map(({ id }) => id).filter((id) => id !== "replay.turn");
  test.for(controlled)("%s catches an adapter that breaks it", async (id) => {
    const files = { ...recorded, "was-cut.sse": said(done.slice(0, -1)) };
    expect((await verdictOn(reading[id] ?? broken(id), id, files)).status).toBe("broken");
  });
});

const end = call.at(-1) ?? "";
describe("the end of a recorded reply", () => {
  const splitOf = async (
    payloads: readonly string[],
  ): Promise<readonly [upToEnd: number, behind: number, ended: boolean]> => {
    const { replayed } = await replay(
      acme,
      await recordingsIn(await folderOf({ "a.sse": said(payloads) })),
    );
    const { fixture, ended = false } = replayed[0]?.stream ?? {};
    return [fixture?.frames.upToTerminal.length ?? 0, fixture?.frames.after?.length ?? 0, ended];
  };

  test("is the first terminal event if only terminal and unknown events follow", async () => {
    expect(await splitOf(call)).toEqual([6, 0, true]);
    expect(await splitOf([...call, end, '{"x_usage":{"tokens":12}}'])).toEqual([6, 2, true]);
  });

  test("is the last terminal event if content follows the first", async () => {
    const second = call
      .slice(2)
      .map((payload) => payload.replaceAll("call_1", "call_2").replaceAll('"n":1', '"n":2'));
    expect(await splitOf([...call, ...second])).toEqual([10, 0, true]);
  });

  test("may be an event with an unknown stop reason", async () => {
    expect(await splitOf([...call.slice(0, -1), end.replace('"tool"', '"later"')])).toEqual([
      6,
      0,
      true,
    ]);
  });

  test("does not exist in a reply that was cut or failed", async () => {
    expect(await splitOf(call.slice(0, -1))).toEqual([5, 0, false]);
    expect(
      await splitOf([...call.slice(0, -1), '{"say":"failed","code":"busy","text":"Too busy."}']),
    ).toEqual([6, 0, false]);
  });
});

test("exhaustive cuts every byte before the end", async () => {
  const { verdicts } = await replay(
    acme,
    await recordingsIn(await folderOf({ "a.sse": said(call) })),
  );
  for await (const { checks, status } of verdicts({ only: "stop.cut", exhaustive: true }))
    expect({ checks, status }).toEqual({
      checks: Buffer.byteLength(said(call)) - "\n\n".length - 1,
      status: "kept",
    });
});

describe("a turn that differs from the expected one", () => {
  test("is shown member by member", async () => {
    const other = {
      stopReason: "tool-use",
      text: "Læser 🧊.",
      calls: [{ name: "read", input: { path: "/srv/æ", lines: [1, 41], mode: null } }],
      usage: { output: 13 },
    };
    const verdict = await verdictOn(acme, "replay.turn", {
      "call.sse": said(call),
      "call.turn.json": JSON.stringify(other),
    });
    expect(verdict.broken).toMatchObject([
      {
        at: "call.sse",
        expected: "calls[0].input.lines[1]: 41\ncalls[0].input.mode: null\nusage.output: 13",
        actual: "calls[0].input.lines[1]: 40\ncalls[0].input.mode: nothing\nusage.output: 12",
      },
    ]);
    expect(report(verdict)).toContain("expected  calls[0].input.lines[1]: 41");
  });

  test("may not run a call that the file does not list, and may have members that the file leaves out", async () => {
    const turnOf = (turn: object): Promise<Verdict> =>
      verdictOn(acme, "replay.turn", {
        "call.sse": said(call),
        "call.turn.json": JSON.stringify(turn),
      });
    expect((await turnOf({ stopReason: "tool-use" })).status).toBe("broken");
    expect(
      (
        await turnOf({
          stopReason: "tool-use",
          calls: [{ name: "read", input: { path: "/srv/æ", lines: [1, 40] } }],
        })
      ).status,
    ).toBe("kept");
    expect(
      (
        await turnOf({
          stopReason: "tool-use",
          calls: [{ name: "read", input: { path: "/srv/æ" } }],
        })
      ).status,
    ).toBe("broken");
  });

  test("is not compared if there is no turn file", async () => {
    const verdict = await verdictOn(acme, "replay.turn", { "call.sse": said(call) });
    expect(verdict).toMatchObject({
      status: "not-asked",
      reason: expect.stringContaining("turn.json"),
    });
  });
});

describe("a file that is not a recording", () => {
  const bad: readonly (readonly [name: string, text: string, message: RegExp])[] = [
    [
      "a.sse",
      `data: ${call[0]}\n\n{"say":"end"}\n\n`,
      /a\.sse:3: not a line of server-sent events: \{"say":"end"\}\. .*\.jsonl/,
    ],
    ["a.sse", ": keep-alive\n\n", /a\.sse:1: the file has no event/],
    ["a.jsonl", `${call[0]}\n\nnonsense\n`, /a\.jsonl:3: not JSON: nonsense/],
    ["a.jsonl", "\n", /a\.jsonl:1: the file has no payload/],
    ["a.json", '{\n  "say": "end",\n}\n', /a\.json:3: /],
    ["a.turn.json", '{"stopReason":"stop"}', /the folder has no recording/],
    ["a.txt", "", /the folder has no recording/],
  ];
  test.for(bad)("is reported: %s %j", async ([name, text, message]) => {
    await expect(folderOf({ [name]: text }).then(recordingsIn)).rejects.toThrow(message);
  });

  test("is reported: a file in place of a folder; a nested folder is ignored", async () => {
    const folder = await folderOf({ "a.jsonl": done.join("\n") });
    await expect(recordingsIn(join(folder, "a.jsonl"))).rejects.toThrow(
      /^There is no folder .*a\.jsonl\.$/,
    );
    await mkdir(join(folder, "older.sse"));
    expect((await recordingsIn(folder)).map(({ file }) => file)).toEqual(["a.jsonl"]);
  });

  const turns: readonly (readonly [turn: string, message: RegExp])[] = [
    ['{"stopreason":"stop"}', /unknown member "stopreason"\. A turn may have stopReason, /],
    ["{}", /"stopReason" is missing/],
    ["[]", /expected a JSON object/],
    ['{"stopReason":"stop","calls":{}}', /"calls" must be an array/],
  ];
  test.for(turns)("is reported: a turn that is %s", async ([turn, message]) => {
    await expect(
      folderOf({ "a.jsonl": done.join("\n"), "a.turn.json": turn }).then(recordingsIn),
    ).rejects.toThrow(message);
  });

  test("is reported: a turn without its recording, and expectations of the next request without a stream", async () => {
    const body = { "a.json": done[1] ?? "" };
    await expect(
      folderOf({ ...body, "b.turn.json": '{"stopReason":"stop"}' }).then(recordingsIn),
    ).rejects.toThrow(/b\.turn\.json: the recording beside it is missing/);
    await expect(
      folderOf({ ...body, "a.turn.json": '{"stopReason":"stop","replays":[1]}' }).then(
        recordingsIn,
      ),
    ).rejects.toThrow(/streams/);
  });
});
