import { join } from "node:path";
import { root } from "./blocks.ts";
import { textTable } from "./markdown.ts";

interface Evidence {
  readonly seen: string;
  readonly sources: readonly string[];
}
interface ChatHost {
  readonly doneEnds?: boolean | "body";
}
const ofCompatible = (file: string): Promise<unknown> =>
  import(join(root, "packages/provider-openai-compatible/src", file));
const { endings } = (await ofCompatible("endings.ts")) as {
  readonly endings: Readonly<Record<string, Evidence>>;
};
const { dialects: chatDialects } = (await ofCompatible("dialects.ts")) as {
  readonly dialects: Readonly<Record<string, ChatHost>>;
};

const streams: Readonly<
  Record<`${NonNullable<ChatHost["doneEnds"]>}`, readonly [stream: string, body: string]>
> = {
  true: ["finished, at its own address", "finished"],
  body: ["`interrupted`", "finished"],
  false: ["`interrupted`", "`interrupted`"],
};

interface MessagesHost {
  readonly name: string;
  readonly baseURL: string;
  readonly keyVariable?: string;
}
const ofAnthropic = (file: string): Promise<unknown> =>
  import(join(root, "packages/provider-anthropic/src", file));
const { dialects } = (await ofAnthropic("dialects.ts")) as {
  readonly dialects: Readonly<Record<string, MessagesHost>>;
};
const { hostFacts } = (await ofAnthropic("host-facts.ts")) as {
  readonly hostFacts: Readonly<Record<string, Evidence>>;
};

/** An issue or a pull request as a link. An address stays as it is. */
const linkOf = (source: string): string => {
  const [, repository, number] = /^([\w.-]+\/[\w.-]+)#(\d+)$/.exec(source) ?? [];
  return repository === undefined
    ? `<${source}>`
    : `[${source}](https://github.com/${repository}/issues/${number})`;
};

const sourceLinks = (sources: readonly string[]): string => sources.map(linkOf).join(", ");

/** How each dialect reads a reply with a usage report and without a `finish_reason`, and why. */
export const endingTable = (): string =>
  textTable(
    ["dialect", "a stream", "a complete body", "what was seen", "source"],
    Object.entries(endings).map(([name, { seen, sources }]) => [
      `\`${name}\``,
      ...streams[`${chatDialects[name]?.doneEnds ?? "body"}`],
      seen,
      sourceLinks(sources),
    ]),
  );

/** How each host of Messages differs. */
export const messagesHostTable = (): string =>
  textTable(
    ["dialect", "host", "key", "what differs", "source"],
    Object.entries(dialects).map(([id, { name, baseURL, keyVariable }]) => [
      `\`${id}\``,
      `${name}, \`${baseURL}\``,
      keyVariable === undefined ? "none" : `\`${keyVariable}\``,
      hostFacts[id]?.seen ?? "",
      sourceLinks(hostFacts[id]?.sources ?? []),
    ]),
  );
