import type { RunOptions } from "@fullstop/loop";
import { mock } from "@fullstop/provider-mock";
import { describe, expect, test } from "vitest";
import type { RecordOptions } from "../src/index.ts";
import { type ReplyView, viewRecording } from "../src/view/index.ts";
import { startProvider } from "./provider.ts";
import { recorded } from "./recorded.ts";
import { toolNamed } from "./recorded-tools.ts";
import { streamAdapter } from "./stream-adapter.ts";

const body = "Zx9Qw7Er5Ty3Ui1Op2As4Df6Gh8Jk0Lm";
/** Keys in their public forms, and the part of each that must not be recorded. These keys do not work. */
const keys: Readonly<Record<string, readonly [key: string, secret: string]>> = {
  anthropic: [`sk-ant-api03-${body}`, body],
  openai: [`sk-proj-${body}`, body],
  google: [`AIza${body}`, body],
  github: [`ghp_${body}`, body],
  slack: [`xoxb-${body}`, body],
  aws: ["AKIAZX9QW7ER5TY3UI1O", "ZX9QW7ER5TY3UI1O"],
  bedrock: [`ABSK${body}+/${body}=`, body],
  bedrockForHours: [`bedrock-api-key-${body}/${body}==`, body],
  awsSession: [`IQoJb3JpZ2lu${body}+${body}//`, body],
  bearer: [`Bearer ${body}`, body],
  database: [`postgres://app:${body}@db.example:5432/shop`, body],
  databaseAt: [`"redis://:${body}@${body}@localhost"`, body],
  signed: [`eyJhbGciOiJIUzI1NiJ9.${body}.${body}`, body],
  password: [`{"user":"a","password":"${body}"}`, body],
  escapedQuote: [`{"apiKey":"ab\\"${body}","a":1}`, body],
  jsonInText: [`{"log":"{\\"client_secret\\": \\"${body}\\"}"}`, body],
  privateKey: [`-----BEGIN PRIVATE KEY-----\n${body}\n-----END`, body],
};

const splits = (text: string, size: number): readonly string[] =>
  Array.from({ length: Math.ceil(text.length / size) }, (_, at) =>
    text.slice(at * size, (at + 1) * size),
  );

async function textOf(options: Partial<RunOptions>, recordOptions?: RecordOptions) {
  const { text, recording } = await recorded(
    { adapter: mock(["Done."]), ...options } as Parameters<typeof recorded>[0],
    recordOptions,
  );
  const [run] = viewRecording(recording).runs;
  return { text, recording, reply: run?.turns[0]?.replies[0] };
}

/** The text in the provider's own events. */
const shownBy = (reply: ReplyView | undefined): string =>
  (reply?.frames ?? [])
    .flatMap(({ natives }) => natives as readonly { readonly delta: { readonly text: string } }[])
    .map(({ delta }) => delta.text)
    .join("");

describe.each(Object.entries(keys))("a key of the form %s", (_, [key, secret]) => {
  const said = `Use it: ${key} and go on.`;

  test("is redacted in prompts, results, errors and progress", async () => {
    const look = toolNamed("look", async function* () {
      yield { said };
      throw new Error(said);
    } as never);
    const adapter = mock([{ calls: [{ name: "look", id: "c", input: { said } }] }, said]);
    const { text } = await textOf({ adapter, tools: [look], prompt: said, system: said });
    expect(text).not.toContain(secret);
    expect(text.match(/\[redacted\]/g)?.length).toBeGreaterThan(6);
  });

  // Each piece is one chunk. The control below shows that the key would be there.
  test.each([1, 2, 3, 5, 8, 16, 29])(
    "is redacted when it arrives %i characters at a time",
    async (size) => {
      const adapter = streamAdapter(splits(said, size));
      const { text, reply } = await textOf({ adapter });
      for (let at = 0; at + 8 <= secret.length; at++)
        expect(reply?.text).not.toContain(secret.slice(at, at + 8));
      const shown = shownBy(reply);
      expect(shown).toContain("Use it: ");
      expect(shown).toContain("[redacted]");
      expect(shown).not.toContain(secret.slice(-8));
      // The pieces say the same as the whole text, which the verdict has.
      expect(reply?.text).toBe(reply?.verdict?.turn.text);
      expect(text).not.toContain(secret);
    },
  );

  test("is recorded with `redactKeys: false`", async () => {
    const { reply } = await textOf(
      { adapter: streamAdapter(splits(said, 5)) },
      { redactKeys: false },
    );
    expect(reply?.text).toBe(said);
    expect(shownBy(reply)).toBe(said);
  });
});

test.each([1, 4, 7, 16])(
  "keys in the input of a call are redacted when a real provider sends %i characters at a time",
  async (pieceLength) => {
    const input = { apiKey: `a"\\${body}`, note: `sk-ant-api03-${body}`, path: "/srv" };
    const blocks = [{ name: "look", id: "call_1", input }];
    const { adapter, sent } = await startProvider("anthropic", [{ blocks, pieceLength }]);
    const { text, reply } = await textOf({ adapter, tools: [toolNamed("look")] });
    const clean = { apiKey: "[redacted]", note: "sk-[redacted]", path: "/srv" };
    expect(JSON.parse(reply?.inputs[0]?.text ?? "")).toEqual(clean);
    expect(reply?.verdict?.turn.calls[0]?.input).toEqual(clean);
    const written = (reply?.frames ?? []).flatMap(({ natives }) => natives) as readonly {
      readonly delta?: { readonly partial_json?: string };
    }[];
    const joined = written.map(({ delta }) => delta?.partial_json ?? "").join("");
    expect(JSON.parse(joined)).toEqual(clean);
    expect(sent()).toContain("partial_json");
    for (let at = 0; at + 8 <= body.length; at++)
      expect(text).not.toContain(body.slice(at, at + 8));
  },
);

test("what only looks like a key stays as it is", async () => {
  const plain = [
    "risk-free and task-based-scheduling-of-everything sk-short ",
    'The field "token" is empty: {"token":"","tokens":12,"passwordless":"yes"} ',
    "http://localhost:8080/a?b=c@d and https://example.com:443 and ssh://git@example.com:22/x ",
    "Bearer of news. eyJ does nothing. hf_x AKIA",
  ].join("");
  for (const size of [1, 4, 1000]) {
    const { reply } = await textOf({ adapter: streamAdapter(splits(plain, size)) });
    expect(reply?.text).toBe(plain);
    expect(shownBy(reply)).toBe(plain);
  }
});

// Each of them takes minutes if the search goes back for each character. The limit of the test ends it.
test.each([
  ["beginnings of keys", "sk-", ""],
  ["beginnings of signed tokens", "eyJ-", ""],
  ["beginnings of private keys", "-----BEGIN ", ""],
  ["beginnings of addresses", "ab://c:", ""],
  ["an address without an end", "x:", "ab://"],
  ["private keys", "-----BEGIN PRIVATE KEY-----", ""],
  ["backslashes", "\\", '"token'],
  ["names", '"token" ', ""],
  ["escaped quotes", '\\\\"', '"token":"'],
  ["a long password", "x", '{"password":"'],
  ["a long escaped password", "x", '{\\"password\\":\\"'],
])("a megabyte of %s is recorded", async (_, unit, beginning) => {
  const said = beginning + unit.repeat((1024 * 1024) / unit.length);
  const { recording } = await textOf({ prompt: said });
  expect(recording.flaws).toEqual([]);
  expect(recording.events.at(-1)?.type).toBe("end");
});

test("members that are named like a key are redacted, in objects too", async () => {
  const input = { apiKey: "a1", Authorization: "b2", nested: [{ access_token: "c3" }], path: "d4" };
  const adapter = mock([{ calls: [{ name: "look", id: "c", input }] }, "Done."]);
  const { recording } = await textOf({ adapter, tools: [toolNamed("look")] });
  const call = recording.events.find((event) => event.type === "tool-call");
  expect(call?.call.input).toEqual({
    apiKey: "[redacted]",
    Authorization: "[redacted]",
    nested: [{ access_token: "[redacted]" }],
    path: "d4",
  });
});

describe("`redact`", () => {
  const redact = (text: string): string => text.replaceAll("Ada Lovelace", "[a person]");
  const said = "Call Ada Lovelace at noon.";

  test("sees whole texts, however a reply arrives", async () => {
    for (const size of [1, 3, 7]) {
      const adapter = streamAdapter(splits(said, size));
      const { text, reply } = await textOf({ adapter, prompt: said }, { redact });
      expect(text).not.toContain("Lovelace");
      expect(reply?.text).toBe("Call [a person] at noon.");
      expect(shownBy(reply)).toBe(reply?.text);
    }
  });

  test("that fails ends the recording with a sentence, and not the run", async () => {
    const errors: string[] = [];
    const fails = (): never => {
      throw new Error("No.");
    };
    const options: RecordOptions = {
      redact: fails,
      onError: ({ message }) => errors.push(message),
    };
    await expect(textOf({ prompt: said }, options)).rejects.toThrow(
      "`redact` of the recorder threw",
    );
    expect(errors).toHaveLength(1);
  });
});
