/** Control characters and marks of direction in a file's texts must not reach a terminal. */
export const printable = (text: string): string =>
  JSON.stringify(text)
    .slice(1, -1)
    .replace(/[\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "?");

/** A number and its noun. */
export const count = (number: number, noun: string): string =>
  `${number} ${noun}${number === 1 ? "" : "s"}`;
