/** How the events of a provider come, and how the template differs for it. */
export const framings = ["sse", "ndjson", "aws"] as const;
export type Framing = (typeof framings)[number];

/** A text of the template, and what replaces it. */
type Change = readonly [from: string, to: string];

const wireNames = (framing: Framing): Change => [
  'name: "acme-chat",\n',
  `name: "acme-chat",\n  framing: "${framing}",\n`,
];
const readsWith = (reader: string): readonly Change[] => [
  ["  sse,\n", `  ${reader},\n`],
  ["      sse(\n", `      ${reader}(\n`],
];

/** The event of the template, from the form that the AWS SDK gives to the events of a stream. */
const parseEvent = `
/**
 * Parses an event of the stream: \`{ "<type>": <payload> }\`, an exception, which has its type a second
 * time as \`:exception-type\`, or an error.
 */
export function parseEvent(data: string): AcmeEvent {
  const event = parseJson<Readonly<Record<string, unknown>>>(data);
  const { ":error-code": code, ":error-message": text, ":exception-type": exception } = event;
  if (code !== undefined) return { say: "failed", code: String(code), text: String(text) };
  if (exception !== undefined)
    return { say: "failed", code: String(exception), text: JSON.stringify(event) };
  const [[say, payload] = ["", {}]] = Object.entries(event);
  return { say, ...(payload as object) } as AcmeEvent;
}
`;
const errorMessage =
  '{ frame: \'{":error-code":"busy",":error-message":"Too busy."}\', kind: "overloaded" }';

const changes: Readonly<Record<Framing, Readonly<Record<string, readonly Change[]>>>> = {
  sse: {},
  ndjson: { "src/index.ts": readsWith("ndjson"), "test/wire.ts": [wireNames("ndjson")] },
  aws: {
    "src/index.ts": [
      ...readsWith("awsEventStream"),
      ["createDecoder }", "createDecoder, parseEvent }"],
      ["        }),\n      ),", "        }),\n        { parse: parseEvent },\n      ),"],
    ],
    "src/decode.ts": [
      ["import type { Emit }", "import { type Emit, parseJson }"],
      ["\n/** Decodes one reply.", `${parseEvent}\n/** Decodes one reply.`],
    ],
    "test/wire.ts": [
      wireNames("aws"),
      [
        "const data = (event: AcmeData): string => JSON.stringify(event);",
        "const data = ({ say, ...payload }: AcmeData): string => JSON.stringify({ [say]: payload });",
      ],
      ["  errors: [{", `  errors: [${errorMessage}, {`],
    ],
  },
};

/**
 * The text of a file of the template for this framing.
 * @throws Error if the template does not have a text that differs.
 */
export function withFraming(text: string, file: string, framing: Framing): string {
  return (changes[framing][file.replaceAll("\\", "/")] ?? []).reduce((changed, [from, to]) => {
    if (!changed.includes(from))
      throw new Error(
        `${file}: the template does not have the text that ${framing} replaces: ${from}`,
      );
    return changed.replace(from, () => to);
  }, text);
}
