import type { Files, Rule } from "./files.ts";

/**
 * The budget of the sources. A feature is paid for by removing something else, or raises this number
 * with a reason in its commit.
 */
export const maxLines = 75_272;

const isCounted = (path: string): boolean =>
  /^packages\/[^/]+\/src\/.*\.ts$/.test(path) && !path.startsWith("packages/provider-acme/");

/** The lines of `packages/*\/src`. */
export const countLines = (files: Files): number =>
  [...files]
    .filter(([path]) => isCounted(path))
    .reduce((sum, [, text]) => sum + text.split("\n").length - 1, 0);

/** The sources are not larger than their budget. */
export const lineBudget: Rule = (files) => {
  const lines = countLines(files);
  return lines <= maxLines
    ? []
    : [`packages/*/src has ${lines} lines, and its budget is ${maxLines}: remove something`];
};
