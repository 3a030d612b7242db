/** Splits a text into about four pieces of at least five characters. */
export const pieces = (text: string): readonly string[] => {
  const step = Math.max(5, Math.ceil(text.length / 4));
  const chars = [...text];
  return Array.from({ length: Math.ceil(chars.length / step) }, (_, n) =>
    chars.slice(n * step, (n + 1) * step).join(""),
  );
};
