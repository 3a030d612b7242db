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
    expression: /^\/\((?:\(\?<!|-----BEGIN).*\)\+\)\$\/i?$/,
    reason: "The beginning of a secret is looked for in the last 256 characters of a text.",
  },
  {
    file: /^packages\/journal-file\//,
    expression: /\\\.lock\$\/$/,
    reason: "The name of a file has at most 255 bytes.",
  },
  {
    file: /^packages\/conformance\//,
    expression: /"arguments":|id\|candidates/,
    reason: "The texts are replies that the suite wrote.",
  },
  {
    file: /^apps\/cli\//,
    expression: /\\\/models/,
    reason: "The text is the path of a request. Node reads at most 16 KiB of a request's head.",
  },
  {
    file: /^apps\/cli\//,
    expression: /<clause>/,
    reason: "The texts are lines of the caller's own file of expected failures.",
  },
];
