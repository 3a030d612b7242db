export const redactedMark = "[redacted]";

/** A secret in a text: what it begins with, and the characters that follow. */
interface SecretForm {
  /** A regular expression. It is kept, because it says what was there. */
  readonly prefix: string;
  /** A regular expression. Texts come from models: none must be able to make the search slow. */
  readonly body: string;
  /** Shorter ones are something else. */
  readonly min: number;
  /** What follows the secret, as a regular expression. Without it the text is something else. */
  readonly suffix?: string;
  readonly ignoresCase?: true;
}

const notInWord = "(?<![A-Za-z0-9])";
const tokenOf = (prefix: string, min: number): SecretForm => ({
  prefix: `${notInWord}${prefix}`,
  body: "[A-Za-z0-9_-]",
  min,
});

/** Members whose values are secrets, as regular expressions. Letters may be of either case. */
const secretNames: readonly string[] = [
  "(?:x[-_])?(?:goog[-_])?api[-_]?key",
  "(?:proxy[-_])?authorization",
  "(?:access|auth|bearer|id|refresh|session|x[-_]auth)?[-_]?token",
  "pass(?:word|wd|phrase)",
  "(?:client[-_]?)?secret(?:[-_]?(?:access[-_]?)?key)?",
  "private[-_]?key",
  "(?:set[-_])?cookie",
];
const anyName = `(?:${secretNames.join("|")})`;
const wholeName = new RegExp(`^${anyName}$`, "i");
export const isSecretName = (name: string): boolean => wholeName.test(name);

/** What providers and hosts document, and members of a JSON text whose names are secret. */
const secretForms: readonly SecretForm[] = [
  // OpenAI, Anthropic, OpenRouter, DeepSeek.
  tokenOf("sk-", 16),
  // Google.
  tokenOf("AIza", 30),
  // GitHub.
  tokenOf("gh[pousr]_", 20),
  tokenOf("github_pat_", 20),
  // GitLab, Groq, Hugging Face, npm, Perplexity, xAI.
  tokenOf("glpat-", 16),
  tokenOf("gsk_", 20),
  tokenOf("hf_", 20),
  tokenOf("npm_", 30),
  tokenOf("pplx-", 20),
  tokenOf("xai-", 20),
  // Slack, Stripe.
  tokenOf("xox[a-z]-", 10),
  tokenOf("[rs]k_(?:live|test)_", 16),
  // AWS.
  { prefix: `${notInWord}A(?:KIA|SIA)`, body: "[A-Z0-9]", min: 16 },
  // Amazon Bedrock: keys that last, and keys for twelve hours. Both are base64.
  { prefix: `${notInWord}(?:ABSK|bedrock-api-key-)`, body: "[A-Za-z0-9+/=]", min: 30 },
  // A session token of AWS.
  { prefix: `${notInWord}IQoJb3JpZ2lu`, body: "[A-Za-z0-9+/=]", min: 30 },
  // A signed token: the part before the first dot says only how it is signed.
  { prefix: `${notInWord}eyJ[A-Za-z0-9_-]{8,200}\\.`, body: "[A-Za-z0-9_.-]", min: 20 },
  {
    prefix: `${notInWord}(?:Bearer|Basic)\\s+`,
    body: "[A-Za-z0-9._~+/=-]",
    min: 16,
    ignoresCase: true,
  },
  // The password in a URL: `postgres://user:password@host`. The password may contain `@`.
  {
    prefix: String.raw`${notInWord}[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/?#:@"'<>\\]{0,100}:`,
    body: String.raw`[^\s/?#"'<>\\]`,
    min: 1,
    suffix: "@",
    ignoresCase: true,
  },
  {
    prefix: "-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----",
    body: "[A-Za-z0-9+/=\\s\\\\:,-]",
    min: 16,
  },
  // A member of a JSON text; of a JSON text inside a string of another one; and deeper.
  {
    prefix: String.raw`(?<!\\)"${anyName}"\s*:\s*"`,
    body: String.raw`(?:[^"\\]+|\\[^]|\\$)`,
    min: 1,
    ignoresCase: true,
  },
  {
    prefix: String.raw`(?<!\\)\\"${anyName}\\"\s*:\s*\\"`,
    body: String.raw`(?:[^"\\]+|\\\\\\"|\\\\|\\[^"\\]|\\+$)`,
    min: 1,
    ignoresCase: true,
  },
  {
    prefix: String.raw`(?<!\\)\\{2,}"${anyName}\\+"\s*:\s*\\+"`,
    body: String.raw`[^"\\]`,
    min: 1,
    ignoresCase: true,
  },
];

const quick = new RegExp(
  `sk-|AIza|gh[pousr]_|github_pat_|glpat-|gsk_|hf_|npm_|pplx-|xai-|xox|[rs]k_|AKIA|ASIA|ABSK|bedrock-api-key-|IQoJ|eyJ|:\\/\\/|bearer|basic|PRIVATE KEY|${anyName}`,
  "i",
);
/** Whether a text may hold a secret: a quick test that passes too often. */
export const mayHoldSecret = (text: string): boolean => quick.test(text);

/** A form as two expressions. The first group of each is the prefix, the second the secret. */
export interface SecretPattern {
  readonly whole: RegExp;
  /** The beginning of a secret at the end of a text. Undefined: one character is enough. */
  readonly begun: RegExp | undefined;
  readonly rest: RegExp;
}
export const secretPatterns: readonly SecretPattern[] = secretForms.map(
  ({ prefix, body, min, suffix = "", ignoresCase }) => {
    const flags = ignoresCase ? "i" : "";
    const isKnownAtOnce = min === 1 && suffix === "";
    return {
      whole: new RegExp(`(${prefix})((?:${body}){${min},})(?=${suffix})`, `g${flags}`),
      begun: isKnownAtOnce ? undefined : new RegExp(`(${prefix})((?:${body})+)$`, flags),
      rest: new RegExp(`^(?:${body})*`, flags),
    };
  },
);
