import { fieldsOf } from "@fullstop/core/adapter";

/** Larger ones may exceed the number of arguments that a call takes. Divisible by three. */
const chunkBytes = 0x6000;

/** In linear time, and without `node:buffer`, which browsers and workers lack. */
export function base64(bytes: Uint8Array): string {
  const { toBase64 } = fieldsOf(bytes);
  if (typeof toBase64 === "function") return toBase64.call(bytes);
  let text = "";
  for (let start = 0; start < bytes.length; start += chunkBytes) {
    const chunk = bytes.subarray(start, start + chunkBytes);
    text += btoa(String.fromCharCode.apply(null, chunk as unknown as number[]));
  }
  return text;
}
