import { ConfigurationError, createGateway, parseRoute } from "@fullstop/gateway";
import { describe, expect, test } from "vitest";

describe("`--to`", () => {
  test.each([
    ["anthropic", ["anthropic", { url: "https://api.anthropic.com", host: {} }]],
    ["openai", ["openai", { url: "https://api.openai.com", host: { doneEnds: false } }]],
    ["openai=http://proxy", ["openai", { url: "http://proxy", host: { doneEnds: false } }]],
    ["google", ["google", { url: "https://generativelanguage.googleapis.com", host: {} }]],
    ["mistral", ["mistral", { url: "https://api.mistral.ai", host: { doneEnds: false } }]],
    ["groq", ["groq", { url: "https://api.groq.com", host: { dialect: "groq" } }]],
    ["ollama=http://gpu:1/x", ["ollama", { url: "http://gpu:1/x", host: { dialect: "ollama" } }]],
    ["a=http://x,unguarded", ["a", { url: "http://x", host: "unguarded" }]],
    [
      "a=http://x,dialect=azure,mislabels-truncation,done-ends,runs-custom-tools,vertexai",
      [
        "a",
        {
          url: "http://x",
          host: {
            dialect: "azure",
            mislabelsTruncation: true,
            doneEnds: true,
            runsCustomTools: true,
            vertexai: true,
          },
        },
      ],
    ],
    [
      "a=http://x,strict,reask=off,withheld=fail",
      ["a", { url: "http://x", host: {}, guard: { strict: true, reask: false, withheld: "fail" } }],
    ],
    [
      "a=http://x,message-stop=optional,blocks=loose,finish-reason=every-chunk",
      [
        "a",
        {
          url: "http://x",
          host: { messageStop: "optional", blocks: "loose", finishReason: "every-chunk" },
        },
      ],
    ],
  ])("reads %s", (text, expected) => {
    expect(parseRoute(text)).toEqual(expected);
  });
  test.each([
    ["nothing", /No address of "nothing" is known.*openai/],
    ["azure", /No address of "azure" is known. Write azure=URL/],
    ["", /No address of "" is known. Write NAME=URL/],
    ["toString", /No address of "toString" is known/],
    ["a=ftp://x", /not an http or https URL/],
    ["a=x", /not an http or https URL/],
    ["a=http://user:pw@x", /user name or a password/],
    ["a=http://x/?key=1", /query or a fragment/],
    ["metrics=http://x", /answers \/metrics itself/],
    ["a b=http://x", /cannot be the name/],
    ["openai,dialect=vlm", /No dialect is called "vlm"\. The dialects are azure,.*, xiaomi\.$/],
    ["openai,dialect=toString", /No dialect is called "toString"/],
    ["openai,dialect", /"dialect" is not a fact.*dialect=NAME \(azure,/],
    ["openai,done-ends=no", /"done-ends=no" is not a fact/],
    ["openai,strict=on", /"strict=on" is not a fact.*strict; strict=off/],
    ["openai,toString", /"toString" is not a fact/],
  ])("refuses %j", (text, sentence) => {
    expect(() => parseRoute(text)).toThrow(ConfigurationError);
    expect(() => parseRoute(text)).toThrow(sentence);
  });
});

test("`createGateway` refuses routes that cannot work", () => {
  for (const options of [{ routes: {} }, undefined as never])
    expect(() => createGateway(options)).toThrow(/at least one to `routes`/);
  expect(() => createGateway({ routes: { "a/b": { url: "http://x" } } })).toThrow(/cannot be the/);
  expect(() => createGateway({ routes: { a: { url: "/v1" } } })).toThrow(/not an http/);
});
