/** The text of a base64-encoded file; `undefined` if it is not base64, or not UTF-8. */
export function decodeTextFile(base64: string): string | undefined {
  try {
    const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
