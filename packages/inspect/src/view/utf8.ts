/** The length of a text in UTF-8. Half of a character that has two units counts as three bytes. */
export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 0x80) continue;
    bytes += unit < 0x800 ? 1 : 2;
    if (isHigh(unit) && isLow(text.charCodeAt(at + 1))) {
      // Two units, four bytes.
      at += 1;
    }
  }
  return bytes;
}

export const isHigh = (unit: number): boolean => unit >= 0xd800 && unit < 0xdc00;
export const isLow = (unit: number): boolean => unit >= 0xdc00 && unit < 0xe000;
