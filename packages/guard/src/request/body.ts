import type { Fetch } from "../options.ts";
import type { HeldShare } from "../reply/held-total.ts";

export type FetchArguments = Parameters<Fetch>;

export interface ReadRequest {
  readonly send: FetchArguments;
  readonly text: string | UnreadBody;
  /** The `content-encoding` of the body, if there is one. */
  readonly encoding: string | undefined;
}

/** Its encoding is unknown or damaged, it is larger than the limit, or no room is left for it. */
export interface UnreadBody {
  readonly problem: "encoding" | "too-large" | "no-room";
}

export const defaultMaxDecoded: number = 64 * 1024 * 1024;

export interface ReadLimits {
  readonly maxDecoded: number;
  readonly share: HeldShare;
}

/** Reads the body of a request. One that can be read only once is then sent as bytes. */
export async function readRequest(
  input: FetchArguments[0],
  init: RequestInit | undefined,
  { maxDecoded, share }: ReadLimits,
): Promise<ReadRequest> {
  const headers = headersOf([input, init]);
  const encoding = headers.get("content-encoding")?.trim().toLowerCase() || undefined;
  const { body } = init ?? {};
  if (!hasBody(input, body)) return { send: [input, init], text: "", encoding };
  const noRoom: ReadRequest = { send: [input, init], text: { problem: "no-room" }, encoding };
  if (typeof body === "string" && encoding === undefined)
    return share.take(body.length) ? { send: [input, init], text: body, encoding } : noRoom;
  const bytes = await bytesOf(input, init, share);
  if (bytes === undefined) return noRoom;
  const send = withBytes([input, init], bytes);
  const text = await decodeBody(bytes, encoding, maxDecoded);
  const isDecoded = encoding !== undefined && typeof text === "string";
  return isDecoded && !share.take(text.length) ? noRoom : { send, encoding, text };
}

/** To read: they may be those of the caller. */
export function headersOf([input, init]: FetchArguments): Headers {
  const headers = init?.headers ?? (input instanceof Request ? input.headers : undefined);
  return headers instanceof Headers ? headers : new Headers(headers);
}

/** `fetch` adds the content type of a form or of a `Blob`, and calls a text `text/plain`. */
export function mayBeJson([input, init]: FetchArguments): boolean {
  const { body } = init ?? {};
  const isForm = body instanceof FormData || body instanceof URLSearchParams;
  const added = body instanceof Blob ? body.type : "";
  const type = headersOf([input, init]).get("content-type") ?? (isForm ? "form" : added);
  return /^$|\bjson\b|^text\/plain\b/i.test(type);
}

/** A GET must be sent without a body, also without an empty one. */
const hasBody = (input: FetchArguments[0], body: RequestInit["body"]): boolean =>
  (body !== undefined && body !== null) || (input instanceof Request && input.body !== null);

/** A stream can be read once. `fetch` gives all other bodies their content type. */
function withBytes([input, init]: FetchArguments, body: Uint8Array<ArrayBuffer>): FetchArguments {
  const given = init?.body ?? input;
  const isStream = given instanceof ReadableStream || Symbol.asyncIterator in Object(given);
  return given instanceof Request || isStream ? [input, { ...init, body }] : [input, init];
}

/** `undefined`: the body does not fit into the limit of all requests. */
async function bytesOf(
  input: FetchArguments[0],
  init: RequestInit | undefined,
  share: HeldShare,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const given = init?.body ?? (input instanceof Request ? input.body : null);
  const stream = given instanceof ReadableStream ? given : new Response(given).body;
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  const reader = stream?.getReader();
  for (let step = await reader?.read(); step?.done === false; step = await reader?.read()) {
    if (!share.take(step.value.byteLength)) {
      await reader?.cancel();
      return undefined;
    }
    chunks.push(step.value);
  }
  return joined(chunks);
}

/** A `Blob` would keep a second copy until memory is collected. */
function joined(chunks: readonly Uint8Array<ArrayBuffer>[]): Uint8Array<ArrayBuffer> {
  const [only] = chunks;
  if (only !== undefined && chunks.length === 1) return only;
  const all = new Uint8Array(chunks.reduce((length, chunk) => length + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}

/** Rejects for bytes that are not of its encoding, and for more than `most` decoded bytes. */
type Decompress = (bytes: Uint8Array, most: number) => Promise<Uint8Array>;

const decoder = /* @__PURE__ */ new TextDecoder();

/** Clients use one. Each further one could decode to the largest body again. */
const maxEncodings = 2;

/** How the content encodings of HTTP are read, the one that was applied last first. */
async function decodeBody(
  bytes: Uint8Array,
  encoding: string | undefined,
  most: number,
): Promise<string | UnreadBody> {
  const names = encodingsOf(encoding);
  if (names.length > maxEncodings) return { problem: "encoding" };
  let decoded = bytes;
  for (const name of names) {
    const decompress = Object.hasOwn(decoders, name) ? decoders[name] : undefined;
    if (decompress === undefined) return { problem: "encoding" };
    try {
      decoded = await decompress(decoded, most);
    } catch (thrown) {
      return { problem: isTooLarge(thrown) ? "too-large" : "encoding" };
    }
  }
  return decoder.decode(decoded);
}

const encodingsOf = (header = ""): readonly string[] =>
  header
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "" && name !== "identity")
    .reverse();

/** What zlib and `withStream` throw for more bytes than are allowed. */
const isTooLarge = (thrown: unknown): boolean =>
  thrown instanceof RangeError ||
  (thrown as { readonly code?: unknown } | undefined)?.code === "ERR_BUFFER_TOO_LARGE";

/** Node, Bun, Deno and some workers have zlib. Others have only the formats of the web. */
interface Zlib {
  readonly brotliDecompress?: ZlibDecompress;
  readonly zstdDecompress?: ZlibDecompress;
}
type ZlibDecompress = (
  bytes: Uint8Array,
  options: { readonly maxOutputLength: number },
  done: (error: Error | null, decoded: Uint8Array) => void,
) => void;
const zlib = (): Zlib | undefined =>
  (
    globalThis as {
      readonly process?: { readonly getBuiltinModule?: (name: string) => Zlib | undefined };
    }
  ).process?.getBuiltinModule?.("node:zlib");

/** Decodes beside this thread, so that other requests are answered meanwhile. */
const withZlib =
  (name: keyof Zlib): Decompress =>
  (bytes, most) =>
    new Promise((resolve, reject) => {
      const decompress = zlib()?.[name];
      if (decompress === undefined) throw new TypeError(`This runtime has no ${name}.`);
      decompress(bytes, { maxOutputLength: most }, (error, decoded) =>
        error === null ? resolve(decoded) : reject(error),
      );
    });

const withStream =
  (format: CompressionFormat): Decompress =>
  async (bytes, most) => {
    const reader = new Blob([new Uint8Array(bytes)])
      .stream()
      .pipeThrough(new DecompressionStream(format))
      .getReader();
    const chunks: Uint8Array<ArrayBuffer>[] = [];
    let length = 0;
    for (let step = await reader.read(); !step.done; step = await reader.read()) {
      length += step.value.length;
      if (length > most) {
        await reader.cancel();
        throw new RangeError(`The decoded body has more than ${most} bytes.`);
      }
      chunks.push(new Uint8Array(step.value));
    }
    return joined(chunks);
  };

/** https://www.iana.org/assignments/http-parameters/http-parameters.xhtml#content-coding */
const decoders: Readonly<Record<string, Decompress>> = {
  gzip: withStream("gzip"),
  "x-gzip": withStream("gzip"),
  deflate: withStream("deflate"),
  br: withZlib("brotliDecompress"),
  zstd: withZlib("zstdDecompress"),
};
