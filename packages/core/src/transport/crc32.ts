/** The checksum of ISO 3309, as in gzip. https://www.w3.org/TR/png/#D-CRCAppendix */
const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

export function crc32(bytes: Uint8Array, length: number): number {
  let value = 0xffffffff;
  for (let at = 0; at < length; at++)
    value = (value >>> 8) ^ (table[(value ^ (bytes[at] ?? 0)) & 0xff] ?? 0);
  return (value ^ 0xffffffff) >>> 0;
}
