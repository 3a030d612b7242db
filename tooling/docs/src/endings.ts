import { join } from "node:path";
import { root } from "./blocks.ts";

interface Ending {
  readonly doneEnds: boolean | "body";
  readonly seen: string;
  readonly sources: readonly string[];
}
const { endings } = (await import(
  join(root, "packages/provider-openai-compatible/src/endings.ts")
)) as { readonly endings: Readonly<Record<string, Ending>> };

const streams: Readonly<Record<`${Ending["doneEnds"]}`, readonly [stream: string, body: string]>> =
  {
    true: ["finished, at its own address", "finished"],
    body: ["`interrupted`", "finished"],
    false: ["`interrupted`", "`interrupted`"],
  };

/** An issue or a pull request as a link. An address stays as it is. */
const linkOf = (source: string): string => {
  const [, repository, number] = /^([\w.-]+\/[\w.-]+)#(\d+)$/.exec(source) ?? [];
  return repository === undefined
    ? `<${source}>`
    : `[${source}](https://github.com/${repository}/issues/${number})`;
};

/** How each dialect reads a reply with a usage report and without a `finish_reason`, and why. */
export const endingTable = (): string =>
  [
    ["dialect", "a stream", "a complete body", "what was seen", "source"],
    ["---", "---", "---", "---", "---"],
    ...Object.entries(endings).map(([name, { doneEnds, seen, sources }]) => [
      `\`${name}\``,
      ...streams[`${doneEnds}`],
      seen,
      sources.map(linkOf).join(", "),
    ]),
  ]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n");
