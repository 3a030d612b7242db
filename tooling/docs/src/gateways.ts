import type { Report, Status } from "@fullstop/conformance";
import { readResults } from "./blocks.ts";
import { describeRelease, type NewestRelease } from "./field.ts";
import { brief, table } from "./markdown.ts";

/** How many replies of a route have a finding of each kind. One reply may count more than once. */
export interface RouteCounts {
  readonly replies: number;
  /** A call runs that must not. */
  readonly unsafe: number;
  readonly relabelled: number;
  readonly lost: number;
  readonly merged: number;
  readonly broken: number;
  /** Findings of clauses with the level `should`. */
  readonly details: number;
  /** Replies in the words of other hosts. */
  readonly variants: number;
  /** Parts of requests that did not arrive. */
  readonly requests: number;
  /** Replies without any finding. */
  readonly kept: number;
}

/** What the results keep of a failed check. */
export interface ShortCheck {
  readonly at: string;
  readonly id?: string;
  readonly severity?: string;
  readonly expected: string;
  readonly actual: string;
}

/** One pair of protocols. */
export interface MeasuredRoute {
  /** `openai-chat → anthropic` */
  readonly name: string;
  readonly counts: RouteCounts;
  readonly findings: Readonly<
    Record<
      string,
      {
        readonly status: Status;
        readonly checks: number;
        /** How many checks failed. */
        readonly failed: number;
        readonly reason?: string;
        /** The first failed checks. */
        readonly broken: readonly ShortCheck[];
      }
    >
  >;
}

/** What one gateway did. */
export interface MeasuredGateway {
  readonly name: string;
  readonly title: string;
  readonly version: string;
  /** The newest release when its registry was asked; absent for that of this repository. */
  readonly newest?: NewestRelease;
  readonly note?: string;
  /** When, as ISO 8601. */
  readonly at: string;
  readonly routes: readonly MeasuredRoute[];
}

/** The results of `pnpm field --gateways`. */
export interface GatewayField extends Pick<Report, "suite" | "clauses"> {
  readonly gateways: readonly MeasuredGateway[];
}

/** The results as data, from the root of the repository. */
export const gatewayFile = "tooling/field/gateways.json";

/** The results, if there are any. */
export const readGateways = (): GatewayField | undefined => readResults(gatewayFile);

const countColumns: readonly (readonly [head: string, key: keyof RouteCounts])[] = [
  ["replies", "replies"],
  ["runs what must not", "unsafe"],
  ["relabelled", "relabelled"],
  ["lost", "lost"],
  ["merged", "merged"],
  ["broken", "broken"],
  ["details", "details"],
  ["other hosts", "variants"],
  ["requests", "requests"],
  ["kept", "kept"],
];

const severities: readonly string[] = [
  "a call runs that must not",
  "a finished call is lost",
  "a stop reason is relabelled",
  "a reply or a request is broken",
  "a detail is lost",
];
const rankOf = (severity: string | undefined): number => severities.indexOf(severity ?? "");
/** Sorts failed checks, the worst first. */
export const worstFirst = (
  first: Pick<ShortCheck, "severity">,
  second: Pick<ShortCheck, "severity">,
): number => rankOf(first.severity) - rankOf(second.severity);

/** One line for each broken clause with the level `must`, over all routes, worst first. */
function worstLines({ routes }: MeasuredGateway, { clauses }: GatewayField): readonly string[] {
  const found = clauses.flatMap(({ id, level, rule }) => {
    const broken = routes.flatMap(({ name, findings }) => {
      const finding = findings[id];
      return finding?.status === "broken" ? [{ name, ...finding }] : [];
    });
    if (level !== "must" || broken.length === 0) return [];
    const checks = broken.flatMap((one) => one.broken.map((check) => ({ name: one.name, check })));
    const [worst] = checks.toSorted((first, second) => worstFirst(first.check, second.check));
    if (worst === undefined) return [];
    const { name, check } = worst;
    const where = broken.map((one) => `${one.name} (${one.failed})`).join(", ");
    return [
      {
        rank: rankOf(check.severity),
        line: `- \`${id}\`, ${check.severity}: ${rule.replace(/\.$/, "")}: not kept in ${where}. For example ${name}, "${brief(check.at)}": expected \`${brief(check.expected)}\`; in front \`${brief(check.actual)}\`.`,
      },
    ];
  });
  return found.toSorted((first, second) => first.rank - second.rank).map(({ line }) => line);
}

const releaseOf = (gateway: MeasuredGateway): string =>
  gateway.name === "fullstop" ? gateway.version : describeRelease(gateway);

function gatewaySection(gateway: MeasuredGateway, field: GatewayField): string {
  const lines = worstLines(gateway, field);
  const { title, note, at } = gateway;
  return [
    `### ${title}`,
    "",
    `Version ${releaseOf(gateway)}, ${at.slice(0, 10)}.${note === undefined ? "" : ` ${note}`}`,
    "",
    ...(lines.length === 0 ? ["Every clause with the level `must` is kept."] : lines),
  ].join("\n");
}

/** The section about gateways, as Markdown. */
export function gatewaysText(field: GatewayField): string {
  const rows = field.gateways.flatMap((gateway) =>
    gateway.routes.map(({ name, counts }) => [
      `${gateway.title} ${releaseOf(gateway)}, ${name}`,
      ...countColumns.map(([, key]) => counts[key]),
    ]),
  );
  return `## Gateways

What LLM gateways do with the replies of a provider, measured by \`pnpm field --gateways\`, which runs \`conformance gateway\`. The suite plays the provider behind the gateway and sends the requests in front of it;
what comes out is read by the gate and compared with what the provider sent. A row is a pair of protocols: the one in front → the one behind.

A number counts replies. *runs what must not*: a client that believes the reply runs a call that the provider did not finish, or another one. *relabelled*, *lost*, *merged*, *broken*: the families of clauses with the level \`must\`.
*details*: the output tokens, signed blocks and kinds of errors. *other hosts*: replies that the vendor does not document and other hosts send, or damaged ones. *requests*: parts of a request that did not arrive. *kept*: replies without any finding.
What the protocol in front cannot say is not counted. As data: [gateways.json](../${gatewayFile}).

${table(["gateway", ...countColumns.map(([head]) => head)], rows)}

${field.gateways.map((gateway) => gatewaySection(gateway, field)).join("\n\n")}`;
}
