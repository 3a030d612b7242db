/** The largest decoded body, in bytes. */
const maxDecoded = 256 * 1024 * 1024;
/** Reads the body of a request. A body that is a stream is read once and sent as bytes. */
export async function readRequest(input, init) {
  const headers = new Headers(init?.headers ?? (input instanceof Request ? input.headers : {}));
  const encoding = headers.get("content-encoding")?.trim().toLowerCase() || undefined;
  const { body } = init ?? {};
  if (typeof body === "string" && encoding === undefined)
    return { send: [input, init], text: body, encoding };
  const bytes = await bytesOf(input, init);
  const send = isRepeatable(body) ? [input, init] : [input, { ...init, body: bytes }];
  return { send, encoding, text: await decodeBody(bytes, encoding) };
}
const isRepeatable = (body) =>
  typeof body === "string" ||
  body instanceof ArrayBuffer ||
  ArrayBuffer.isView(body) ||
  body instanceof Blob;
async function bytesOf(input, init) {
  const { body } = init ?? {};
  if (body === undefined || body === null)
    return input instanceof Request ? input.bytes() : new Uint8Array();
  return new Response(body).bytes();
}
/** How the content encodings of HTTP are read, the one that was applied last first. */
async function decodeBody(bytes, encoding) {
  let decoded = bytes;
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
const zlib = () => globalThis.process?.getBuiltinModule?.("node:zlib");
const withZlib = (name) => async (bytes) =>
  zlib()?.[name]?.(bytes, { maxOutputLength: maxDecoded });
const withStream = (format) => async (bytes) => {
  const reader = new Blob([new Uint8Array(bytes)])
    .stream()
    .pipeThrough(new DecompressionStream(format))
    .getReader();
  const chunks = [];
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
const decoders = {
  gzip: withStream("gzip"),
  "x-gzip": withStream("gzip"),
  deflate: withStream("deflate"),
  br: withZlib("brotliDecompressSync"),
  zstd: withZlib("zstdDecompressSync"),
};
