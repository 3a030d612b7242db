import { styleText } from "node:util";
import { apis, type Target } from "./apis.ts";
import type { Budget } from "./plan.ts";
import { codeOf, type Row } from "./row.ts";
import type { Learnt } from "./run.ts";

export interface Report {
  readonly target: Target;
  readonly keyVariable?: string;
  readonly learnt: Learnt;
  readonly row: Row;
  readonly spent: Budget;
}

/** What each tier means, and its colour in a badge. */
const tiers = {
  none: { fill: "#9f9f9f", says: "Too few cut and whole replies were seen for a tier" },
  1: { fill: "#44cc11", says: "Nothing must be set" },
  2: { fill: "#97ca00", says: "Safe with these options" },
  3: {
    fill: "#e05d44",
    says: "With these options a cut call still runs, a whole one is lost, or a count is wrong",
  },
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
    bold("What an adapter must be told:"),
    "",
    codeOf({ api: learnt.api, model: target.model, url }, options, keyVariable),
    ...(told ? ["Send no stop sequences with tools: a call that one cut looks finished.", ""] : []),
    `With it ${checked.given.length} of ${checked.cut} cut replies give out a call, and ${checked.whole - checked.lost.length} of ${checked.whole} whole ones give out theirs.`,
    ...[...checked.given, ...checked.lost].map((line) => `  ${line}`),
    `Tier ${tier}: ${tiers[tier].says}.`,
    "",
  ].join("\n");
}

/** The report for programs, without the key. */
export function jsonReport({ target, learnt, row, spent }: Report): string {
  const { facts, options, checked, tier } = row;
  const about = { url: address(target), api: learnt.api, model: target.model };
  return `${JSON.stringify({ ...about, at: new Date().toISOString(), spent, tier: tier ?? null, options, facts, checked }, null, 2)}\n`;
}

/** The tier as an SVG file. */
export function badge({ row }: Report): string {
  const tier = row.tier ?? "none";
  const { fill, says } = tiers[tier];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="130" height="20" role="img" aria-label="tool calls: tier ${tier}">
<title>${says}</title><rect width="65" height="20" fill="#555"/><rect x="65" width="65" height="20" fill="${fill}"/>
<g fill="#fff" font-family="Verdana,sans-serif" font-size="11" text-anchor="middle"><text x="33" y="14">tool calls</text><text x="97" y="14">tier ${tier}</text></g>
</svg>
`;
}
