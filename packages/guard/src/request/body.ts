import type { Fetch } from "../options.ts";

/** The arguments of a `fetch`. */
export type FetchArguments = Parameters<Fetch>;

/** A request with a body that can be read and sent several times. */
export interface ReadRequest {
  /** The arguments that send the request unchanged. */
  readonly send: FetchArguments;
  /** The body as text. `undefined`: its encoding cannot be read here. */
  readonly text: string | undefined;
  /** The `content-encoding` of the body, if there is one. */
  readonly encoding: string | undefined;
}

/** The largest decoded body, in bytes. */
const maxDecoded = 256 * 1024 * 1024;

/** Reads the body of a request. A body that is a stream is read once and sent as bytes. */
export async function readRequest(
  input: FetchArguments[0],
  init?: RequestInit,
): Promise<ReadRequest> {
  const headers = new Headers(init?.headers ?? (input instanceof Request ? input.headers : {}));
  const encoding = headers.get("content-encoding")?.trim().toLowerCase() || undefined;
  const { body } = init ?? {};
  if (!hasBody(input, body)) return { send: [input, init], text: "", encoding };
  if (typeof body === "string" && encoding === undefined)
    return { send: [input, init], text: body, encoding };
  const bytes = await bytesOf(input, init);
  const send: FetchArguments = isRepeatable(body)
    ? [input, init]
    : [input, { ...init, body: bytes }];
  return { send, encoding, text: await decodeBody(bytes, encoding) };
}

/** A GET must be sent without a body, also without an empty one. */
const hasBody = (input: FetchArguments[0], body: RequestInit["body"]): boolean =>
  (body !== undefined && body !== null) || (input instanceof Request && input.body !== null);

const isRepeatable = (body: unknown): boolean =>
  typeof body === "string" ||
  body instanceof ArrayBuffer ||
  ArrayBuffer.isView(body) ||
  body instanceof Blob;

async function bytesOf(
  input: FetchArguments[0],
  init: RequestInit | undefined,
): Promise<Uint8Array<ArrayBuffer>> {
  const { body } = init ?? {};
  if (body === undefined || body === null)
    return input instanceof Request ? input.bytes() : new Uint8Array();
  return new Response(body).bytes();
}

type Decompress = (bytes: Uint8Array) => Promise<Uint8Array | undefined>;

/** How the content encodings of HTTP are read, the one that was applied last first. */
async function decodeBody(
  bytes: Uint8Array,
  encoding: string | undefined,
): Promise<string | undefined> {
  let decoded: Uint8Array | undefined = bytes;
  for (const name of (encoding ?? "")
    .split(",")
    .map((one) => one.trim())
    .reverse()) {
    if (name === "" || name === "identity") continue;
    const decompress = decoders[name];
    decoded = decoded && (await decompress?.(decoded).catch(() => undefined));
  }
  return decoded && new TextDecoder().decode(decoded);
}

/** Node, Bun, Deno and some workers have zlib. Others have only the formats of the web. */
interface Zlib {
  readonly brotliDecompressSync?: (bytes: Uint8Array, options: object) => Uint8Array;
  readonly zstdDecompressSync?: (bytes: Uint8Array, options: object) => Uint8Array;
}
const zlib = (): Zlib | undefined =>
  (
    globalThis as {
      readonly process?: { readonly getBuiltinModule?: (name: string) => Zlib | undefined };
    }
  ).process?.getBuiltinModule?.("node:zlib");

const withZlib =
  (name: keyof Zlib): Decompress =>
  async (bytes) =>
    zlib()?.[name]?.(bytes, { maxOutputLength: maxDecoded });

const withStream =
  (format: CompressionFormat): Decompress =>
  async (bytes) => {
    const reader = new Blob([new Uint8Array(bytes)])
      .stream()
      .pipeThrough(new DecompressionStream(format))
      .getReader();
    const chunks: Uint8Array<ArrayBuffer>[] = [];
    let length = 0;
    for (let step = await reader.read(); !step.done; step = await reader.read()) {
      length += step.value.length;
      if (length > maxDecoded) {
        await reader.cancel();
        return undefined;
      }
      chunks.push(new Uint8Array(step.value));
    }
    return new Blob(chunks).bytes();
  };

/** https://www.iana.org/assignments/http-parameters/http-parameters.xhtml#content-coding */
const decoders: Readonly<Record<string, Decompress>> = {
  gzip: withStream("gzip"),
  "x-gzip": withStream("gzip"),
  deflate: withStream("deflate"),
  br: withZlib("brotliDecompressSync"),
  zstd: withZlib("zstdDecompressSync"),
};
