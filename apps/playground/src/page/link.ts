import { type ProtocolName, protocolNames } from "../reply/protocols.ts";
import type { PageState } from "./state.ts";

const numberOf = (text: string | null): number | undefined => {
  const value = text === null || text === "" ? Number.NaN : Number(text);
  return Number.isSafeInteger(value) && value >= 0 ? value : undefined;
};
/** A cap of 0 cannot be sent. */
const capOf = (text: string | null): number | undefined => numberOf(text) || undefined;
const flagOf = (text: string | null): true | undefined => (text === null ? undefined : true);
const protocolOf = (text: string | null): ProtocolName | undefined =>
  protocolNames.find((name) => name === text);

/** The part of an address behind `#`. It holds the whole state. */
export async function toHash({ reply, pasted, cut, cap, edits }: PageState): Promise<string> {
  const { stop, usage, repeat, dropEnd, second } = edits;
  const members = {
    r: pasted ? undefined : reply,
    p: pasted?.protocol,
    t: pasted && (await pack(pasted.text)),
    at: cut,
    cap,
    stop,
    usage,
    repeat,
    drop: dropEnd,
    second,
  };
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(members))
    if (value !== undefined) search.set(name, value === true ? "" : String(value));
  return `#${search
    .toString()
    .replaceAll("%2F", "/")
    .replaceAll(/=(?=&|$)/g, "")}`;
}

/** The state of a link. What cannot be read is left out. */
export async function fromHash(hash: string, fallback: string): Promise<PageState> {
  const search = new URLSearchParams(hash.replace(/^#/, ""));
  const packed = search.get("t");
  const text = packed === null ? undefined : await unpack(packed);
  const protocol = protocolOf(search.get("p"));
  return {
    reply: search.get("r") ?? fallback,
    pasted: text === undefined || protocol === undefined ? undefined : { protocol, text },
    cut: numberOf(search.get("at")),
    cap: capOf(search.get("cap")),
    edits: {
      stop: search.get("stop") ?? undefined,
      usage: numberOf(search.get("usage")),
      repeat: flagOf(search.get("repeat")),
      dropEnd: flagOf(search.get("drop")),
      second: flagOf(search.get("second")),
    },
  };
}

async function pack(text: string): Promise<string> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Undefined: the link is damaged. */
async function unpack(packed: string): Promise<string | undefined> {
  try {
    const binary = atob(packed.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    return await new Response(stream).text();
  } catch {
    return undefined;
  }
}
