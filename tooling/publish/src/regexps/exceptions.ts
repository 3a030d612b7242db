/** Expressions that grow faster than their text, and why that text stays short. */
export interface Exception {
  readonly file: RegExp;
  /** As it is written, with its slashes and flags. */
  readonly expression: RegExp;
  readonly reason: string;
}

export const exceptions: readonly Exception[] = [
  {
    file: /^packages\/core\//,
    expression: /function_calls\|tool▁calls▁begin\|.*\+\$\/$/,
    reason: "What stands before a leaked call is read in at most 160 characters.",
  },
  {
    file: /^packages\/inspect\//,
    expression: /\+\)\$\/i?$/,
    reason: "The beginning of a secret is looked for in the last 256 characters.",
  },
  {
    file: /^packages\/journal-file\//,
    expression: /\\\.lock\$\/$/,
    reason: "The name of a file has at most 255 bytes.",
  },
  {
    file: /^(?:packages\/conformance|apps\/cli)\//,
    expression:
      /\\\/gemini-|\\\/models|"\]\+\)"\\s\*:|"arguments":|id\|candidates|<clause>|^\/\\s\*\\n\\s\*\/g$/,
    reason: "The suite reads its own replies and requests, and names from its command line.",
  },
];
