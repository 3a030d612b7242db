/** The text in pieces as a model gives it: a few characters at first, then the rest. */
export const pieces = (text: string): readonly string[] => {
  const step = Math.max(5, Math.ceil(text.length / 4));
  const chars = [...text];
  return Array.from({ length: Math.ceil(chars.length / step) }, (_, n) =>
    chars.slice(n * step, (n + 1) * step).join(""),
  );
};
