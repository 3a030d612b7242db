/** A blob: base64 in the JSON of the API, and bytes in what the SDK parsed. */
export type Blob64 = string | Uint8Array;

/** The base64 of bytes. Text is base64 already. */
export function toBase64(blob: Blob64): string {
  if (typeof blob === "string") return blob;
  let binary = "";
  for (const byte of blob) binary += String.fromCharCode(byte);
  return btoa(binary);
}

/** The bytes of a base64 text; `undefined` if it is none. */
export function toBytes(base64: string): Uint8Array | undefined {
  try {
    return Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
  } catch {
    return undefined;
  }
}

/** One blob that came in pieces. A single piece stays as it is. */
export function joinBlobs(pieces: readonly Blob64[]): string {
  const [first = "", ...more] = pieces.map(toBase64);
  return more.length === 0 ? first : btoa([first, ...more].map((piece) => atob(piece)).join(""));
}
