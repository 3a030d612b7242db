import { styleText } from "node:util";
import { createGate } from "@fullstop/core";
import { type ApiName, apis, connect, type HostOptions, optionsFor, type Target } from "./apis.ts";
import { write } from "./ask.ts";
import { describeReply, type Reply } from "./evidence.ts";
import { type Fact, type FactName, facts, viewOf } from "./facts.ts";
import type { Budget, Learnt } from "./run.ts";

/** The replies, judged again by an adapter that has the options. */
export interface Checked {
  readonly cut: number;
  /** Cut replies that give out a call all the same. */
  readonly given: readonly string[];
  readonly whole: number;
  /** Whole replies whose calls are withheld all the same. */
  readonly lost: readonly string[];
}
/** What was learnt about a host. */
export interface Row {
  readonly facts: Readonly<Record<FactName, Fact>>;
  /** The options that an adapter needs. */
  readonly options: HostOptions;
  readonly checked: Checked;
  /**
   * 1: nothing must be set. 2: with the options no cut reply gives out a call, and no whole one is
   * lost. 3: some are. Absent: too few replies were seen.
   */
  readonly tier?: 1 | 2 | 3;
}

/** Fewer cut or whole replies show too little. */
const enough = 3;

export async function learn(target: Target, { api, replies, setUp }: Learnt): Promise<Row> {
  const view = viewOf(api, replies);
  const found = Object.fromEntries(
    Object.entries(facts).map(([name, look]) => [name, look(view)]),
  ) as Row["facts"];
  const all = Object.values(found);
  const options: HostOptions = Object.assign({}, setUp, ...all.map((fact) => fact.options));
  const gives = await judgeWith(api, target, options);
  const cut = view.that("cut");
  const whole = view.that("whole").filter(({ calls }) => calls.length > 0);
  const checked: Checked = {
    cut: cut.length,
    given: cut.filter(gives).map(describeReply),
    whole: whole.length,
    lost: whole.filter((reply) => !gives(reply)).map(describeReply),
  };
  const row = { facts: found, options, checked };
  if (checked.given.length + checked.lost.length > 0 || all.some(({ flaw }) => flaw))
    return { ...row, tier: 3 };
  if (cut.length < enough || whole.length < enough) return row;
  return { ...row, tier: Object.keys(options).length === 0 ? 1 : 2 };
}

/** Whether a reply gives out calls, if the adapter has these options. */
async function judgeWith(
  api: ApiName,
  target: Target,
  options: HostOptions,
): Promise<(reply: Reply) => boolean> {
  const adapter = await connect(api, target, { stream: true }, options);
  return ({ asked, natives }) => {
    const gate = createGate(adapter, { maxTokens: asked.maxTokens, tools: [write] });
    for (const native of natives) gate.push(native);
    return gate.end().calls.length > 0;
  };
}

/** JSON as TypeScript. */
const literal = (value: unknown): string =>
  JSON.stringify(value, null, 2).replace(/^( *)"([A-Za-z_]\w*)":/gm, "$1$2:");

/** The code that makes the adapter. Of the key it has the variable. */
export function codeOf(
  { api, url, model }: Pick<Target, "url" | "model"> & { readonly api: ApiName },
  options: HostOptions,
  keyVariable = "",
): string {
  const { from, factory, baseURL } = apis[api];
  const told = optionsFor(api, options);
  const isRow = api === "chat" && Object.keys(told).length > 0;
  const endpoint = literal({
    baseURL: baseURL(url),
    ...(keyVariable === "" ? { apiKey: "none" } : {}),
    ...(told.mislabelsTruncation && { maxTokens: { default: 4096 } }),
    ...(api !== "chat" && told),
  }).replace("{", keyVariable === "" ? "{" : `{\n  apiKey: process.env["${keyVariable}"],`);
  const row = literal({ name: new URL(url).hostname, ...told })
    .replace("{", "{\n  ...dialects.custom,")
    .replace("stops: {", "stops: {\n    ...dialects.custom.stops,");
  const first = isRow ? "host, " : '"custom", ';
  return `import { ${isRow ? "dialects, " : ""}${factory} } from ${JSON.stringify(from)};
${isRow ? `\nconst host = ${row};\n` : ""}
export const model = ${factory}(${api === "chat" ? first : ""}${JSON.stringify(model)}, ${endpoint});
`;
}

export interface Report {
  readonly target: Target;
  readonly keyVariable?: string;
  readonly learnt: Learnt;
  readonly row: Row;
  readonly spent: Budget;
}

const tiers = {
  none: "Too few cut and whole replies were seen for a tier",
  1: "Nothing must be set",
  2: "Safe with these options",
  3: "With these options a cut call still runs, a whole one is lost, or a count is wrong",
} as const;

const address = ({ url }: Target): string => {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`.replace(/\/$/, "");
};

export function textReport({ target, keyVariable, learnt, row, spent }: Report): string {
  const bold = (text: string): string => styleText("bold", text, { stream: process.stdout });
  const dim = (text: string): string => styleText("dim", text, { stream: process.stdout });
  const { facts, options, checked } = row;
  const tier = row.tier ?? "none";
  const { title, takes } = apis[learnt.api];
  const url = address(target);
  const stops = facts["a stop sequence"].options !== undefined;
  const told = stops && !takes.includes("mislabelsStopSequences");
  return [
    `${bold(title)} at ${url}, model ${target.model}`,
    `${spent.requests} requests, ${spent.tokens} output tokens${learnt.skipped > 0 ? `, ${learnt.skipped} requests left out because the budget is too small` : ""}`,
    "",
    ...Object.entries(facts).flatMap(([name, { says, evidence }]) => [
      `${bold(name.padEnd(28))}${says}`,
      ...evidence.map((line) => dim(`  ${line}`)),
    ]),
    "",
    bold("An adapter with the options that it needs:"),
    "",
    codeOf({ api: learnt.api, model: target.model, url }, options, keyVariable),
    ...(told ? ["Send no stop sequences with tools: a call that one cut looks finished.", ""] : []),
    `With it ${checked.given.length} of ${checked.cut} cut replies give out a call, and ${checked.whole - checked.lost.length} of ${checked.whole} whole ones give out theirs.`,
    ...[...checked.given, ...checked.lost].map((line) => `  ${line}`),
    `Tier ${tier}: ${tiers[tier]}.`,
    "",
  ].join("\n");
}

/** The report for programs, without the key. */
export function jsonReport({ target, learnt, row, spent }: Report): string {
  const { facts, options, checked, tier } = row;
  const about = { url: address(target), api: learnt.api, model: target.model };
  return `${JSON.stringify({ ...about, at: new Date().toISOString(), spent, tier: tier ?? null, options, facts, checked }, null, 2)}\n`;
}
