import type { WireName } from "@fullstop/conformance/replay";
import { wires } from "@fullstop/conformance/wires";
import { InvalidArgumentError } from "commander";

const aliases: Readonly<Record<string, WireName>> = {
  chat: "openai-chat",
  responses: "openai-responses",
  interactions: "gemini-interactions",
};
const isWireName = (name: string): name is WireName => Object.hasOwn(wires, name);

function parseProtocol(name: string): WireName {
  const found = aliases[name] ?? name;
  if (isWireName(found)) return found;
  const known = [...Object.keys(wires), ...Object.keys(aliases)].join(", ");
  throw new InvalidArgumentError(`"${name}" is not a protocol. The protocols are ${known}.`);
}

function splitOnce(text: string, separator: string): readonly [string, string | undefined] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + separator.length)];
}

export interface Front {
  readonly protocol: WireName;
  /** May contain `{port}`. */
  readonly url: string;
}

/** Parses `chat=http://127.0.0.1:4000/v1`, and adds it to the others. */
export function parseFront(text: string, others: readonly Front[] = []): readonly Front[] {
  const [name, url] = splitOnce(text, "=");
  const protocol = parseProtocol(name);
  if (url === undefined || !URL.canParse(url.replaceAll("{port}", "1")))
    throw new InvalidArgumentError(
      `Give the address as the SDK takes it: ${name}=http://127.0.0.1:4000.`,
    );
  return [...others, { protocol, url }];
}

export interface Behind {
  readonly protocol: WireName;
  readonly model?: string;
}

/** Parses `anthropic` or `anthropic=claude`, and adds it to the others. */
export function parseBehind(text: string, others: readonly Behind[] = []): readonly Behind[] {
  const [name, model] = splitOnce(text, "=");
  const protocol = parseProtocol(name);
  return [...others, { protocol, ...(model !== undefined && { model }) }];
}

export type HeaderFields = Readonly<Record<string, string>>;

/** Parses `name: value`, and adds it to the others. */
export function parseHeader(text: string, others: HeaderFields = {}): HeaderFields {
  const [name, value] = splitOnce(text, ":");
  if (value === undefined || !/^[\w-]+$/.test(name))
    throw new InvalidArgumentError('Write a header as "name: value".');
  return { ...others, [name.toLowerCase()]: value.trim() };
}

/** What `{upstream}` and `{port}` stand for. */
export interface Places {
  readonly upstream: string;
  readonly port: number;
}

export const fillPlaces = (text: string, { upstream, port }: Places): string =>
  text.replaceAll("{upstream}", upstream).replaceAll("{port}", String(port));
