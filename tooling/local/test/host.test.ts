import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { dialects } from "@fullstop/provider-openai-compatible";
import { afterAll, beforeAll, describe, expect, type TestContext, test } from "vitest";
import { startLlama } from "../src/llama.ts";
import { startMlx } from "../src/mlx.ts";
import { replies } from "../src/ollama-replies.ts";
import { startWithReplies } from "../src/ollama-server.ts";

const main = fileURLToPath(new URL("../../../apps/cli/src/main.ts", import.meta.url));
const page = readFileSync(new URL("../../../docs/local-models.md", import.meta.url), "utf8");
/** The first table of the page, by the cell of the adapter. A server is named once. */
const rows = page.split("\n").flatMap((line) => {
  const [, server, adapter, cut, usage, , set] = line.split("|").map((cell) => cell.trim());
  return adapter?.includes("(") ? [{ server, adapter, cut, usage, set }] : [];
});

interface Printed {
  readonly tier: number | null;
  readonly options: Readonly<Record<string, unknown>>;
  readonly facts: Readonly<Record<string, { readonly says: string }>>;
}
let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fullstop-host-"));
});
afterAll(() => rm(folder, { recursive: true }));

/** Runs the command, and reads its report for programs. */
async function askHost(url: string, model: string, ...args: readonly string[]): Promise<Printed> {
  const file = join(folder, "report.json");
  const words = ["conformance", "host", url, "--model", model, "--yes", "--json", file, ...args];
  await new Promise<void>((resolve) => {
    execFile(process.execPath, ["--conditions=@fullstop/source", main, ...words], () => resolve());
  });
  return JSON.parse(readFileSync(file, "utf8")) as Printed;
}

const wordsIn = (text = ""): readonly string[] =>
  [...text.matchAll(/`(\w+)`/g)].flatMap(([, word]) => word ?? []).toSorted();

/** What the page says about a server through an adapter. */
function expectedRow(server: string, adapter: string, dialect?: keyof typeof dialects) {
  const at = rows.findIndex((row) => row.server === server);
  const row = rows.slice(at).find((one) => one.adapter.includes(adapter));
  const known = dialect && dialects[dialect];
  return {
    cut: wordsIn(row?.cut),
    counts: row?.usage?.startsWith("yes"),
    mislabels:
      row?.set?.includes("`mislabelsTruncation: true`") || known?.mislabelsTruncation === true,
    stops: known?.mislabelsStopSequences === true,
  };
}
function printedRow({ options, facts }: Printed) {
  const [, counted, all] = /^(\d+) of (\d+)$/.exec(facts["usage in streams"]?.says ?? "") ?? [];
  return {
    cut: wordsIn(facts["a cut reply is called"]?.says),
    counts: counted !== undefined && counted === all,
    mislabels: options["mislabelsTruncation"] === true,
    stops: options["mislabelsStopSequences"] === true,
  };
}

/** A server for the tests around it. They are skipped if it is missing. */
function serverOf<Server extends { stop(): Promise<void> }>(start: () => Promise<Server>) {
  let started: Server | undefined;
  let missing = "";
  beforeAll(async () => {
    try {
      started = await start();
    } catch (thrown) {
      if (!(thrown instanceof Error && /^MissingServ/.test(thrown.name))) throw thrown;
      missing = thrown.message;
    }
  }, 30 * 60_000);
  afterAll(() => started?.stop());
  return ({ skip }: TestContext): Server => started ?? skip(missing);
}

describe("the command prints the rows of docs/local-models.md", () => {
  const llama = serverOf(() => startLlama(1));
  const mlx = serverOf(startMlx);
  const ollama = serverOf(() => startWithReplies(replies));

  test("llama.cpp, Chat", async (context) => {
    const printed = await askHost(`${llama(context).url}/v1`, "tiny");
    expect(printedRow(printed)).toEqual(expectedRow("llama.cpp", "openaiCompatible", "llamacpp"));
    expect(printed.tier).toBe(1);
  });

  test.for([
    ["messages", "anthropic"],
    ["responses", "openai("],
  ] as const)("llama.cpp, %s", async ([api, adapter], context) => {
    const url = `${llama(context).url}/v1`;
    const printed = await askHost(url, "tiny", "--api", api);
    expect(printedRow(printed)).toEqual(expectedRow("llama.cpp", adapter));
  });

  test.for(["two", "glm"] as const)("MLX, model %s", async (model, context) => {
    const { url, pathOf } = mlx(context);
    const params = ["--params", '{"temperature":0}'];
    const printed = await askHost(`${url}/v1`, pathOf(model), ...params);
    expect(printedRow(printed)).toEqual(expectedRow("MLX", "openaiCompatible", "mlx"));
  });

  test("Ollama, Chat", async (context) => {
    const url = `${ollama(context).url}/v1`;
    const printed = await askHost(url, "two-calls");
    expect(printedRow(printed)).toEqual(expectedRow("Ollama", "openaiCompatible", "ollama"));
    const text = await askHost(url, "text");
    expect(text.facts["a required call"]?.says).toBe("0 of 2");
  });

  test("Ollama, Messages", async (context) => {
    const printed = await askHost(ollama(context).url, "two-calls", "--api", "messages");
    const { cut, counts, mislabels } = expectedRow("Ollama", "anthropic");
    expect(printedRow(printed)).toMatchObject({ counts, mislabels });
    expect(printedRow(printed).cut).toEqual(["max_tokens", ...cut]);
  });
});
