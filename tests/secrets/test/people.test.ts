import { explain, readTurn } from "@fullstop/core";
import { afterEach, describe, expect, test, vi } from "vitest";
import { type Answer, deadAddress, failing, serve } from "./server.ts";
import { type AdapterOptions, type Speaker, speakers } from "./speakers.ts";

afterEach(() => vi.unstubAllEnvs());

/** The message for a person. */
async function messageFor(speaker: Speaker, reach: AdapterOptions): Promise<string> {
  return explain(
    await readTurn(speaker.adapter(reach), { messages: [{ role: "user", content: "Go." }] }),
  ).person;
}

const withVariable = Object.entries(speakers).flatMap(([name, speaker]) =>
  speaker.variable === undefined ? [] : [{ name, speaker, variable: speaker.variable }],
);
test.each(withVariable)("$name without a key names $variable", async ({ speaker, variable }) => {
  for (const name of [variable, "GOOGLE_API_KEY"]) vi.stubEnv(name, undefined);
  // Otherwise the SDKs of Google and Amazon request credentials from the network.
  vi.stubEnv("METADATA_SERVER_DETECTION", "none");
  vi.stubEnv("AWS_EC2_METADATA_DISABLED", "true");
  vi.stubEnv("HOME", "/nowhere");
  const sentence =
    speaker.withoutKey ??
    new RegExp(
      `No API key for .+: pass \`apiKey\`, or set (the environment variable )?${variable}\\.$`,
    );
  const message = await messageFor(speaker, { baseURL: await deadAddress() });
  expect(message).toMatch(/^The request failed\. /);
  expect(message).toMatch(sentence);
});

describe.each(Object.entries(speakers))("%s", (_, speaker) => {
  const apiKey = "sk-seeded";

  test("names the address that refused the connection, and no other part of the URL", async () => {
    const baseURL = await deadAddress();
    const address = baseURL.replace("http://", "");
    const expected = `The provider could not be reached. No connection to ${address}: it refused the connection (ECONNREFUSED). ${speaker.whatToStart ?? "Start the server, or correct `baseURL`."}`;
    expect(
      await messageFor(speaker, { apiKey, baseURL: `${baseURL}/v1?tenant=seven-of-nine` }),
    ).toBe(expected);
  });

  const failed = async (answer: Answer): Promise<string> => {
    await using server = await serve(answer);
    return await messageFor(speaker, { apiKey, baseURL: server.address });
  };
  test("quotes the message of a body, in each place where servers put it", async () => {
    expect(await failed(failing(400, { error: "The model is not loaded." }))).toMatch(
      /^The request failed\. .+ at 127\.0\.0\.1:\d+ refused the request for .+ \(400\): The model is not loaded\.$/,
    );
    expect(await failed(failing(404, { detail: "Not here." }))).toMatch(
      /does not know the model .+ or the address \(404\): Not here\. Check the name/,
    );
    expect(await failed(failing(502, "<html><title>Bad gateway</title></html>"))).toMatch(
      / failed \(502\): the server answered with a page: Bad gateway\.$/,
    );
  });

  test.each([
    [
      "a key with a line break",
      { apiKey: "sk\nseeded" },
      /The API key holds a line break .+ Copy the key again/,
    ],
    [
      "a header with a line break",
      { headers: { "x-a": "a\nb" } },
      /The value of the header "x-a" holds a line break .+ Correct `headers`/,
    ],
    ["an invalid baseURL", { baseURL: "localhost" }, /`baseURL` is not a valid URL/],
  ] as const)("explains how to correct %s", async (_, reach, sentence) => {
    const wasSent = speaker.signsWithKey && "apiKey" in reach;
    expect(await messageFor(speaker, { apiKey, baseURL: await deadAddress(), ...reach })).toMatch(
      wasSent ? /refused the connection/ : sentence,
    );
  });

  test("explains how to correct a password in baseURL", async () => {
    const url = new URL(await deadAddress());
    expect(
      await messageFor(speaker, { apiKey, baseURL: `http://me:seven-of-nine@${url.host}` }),
    ).toMatch(/`baseURL` holds a user name or a password, .+ send them in `headers`/);
  });
});

test("Copilot without a token names the missing token", async () => {
  expect(
    await messageFor(speakers["copilot-chat"] as Speaker, {
      apiKey: "",
      baseURL: await deadAddress(),
    }),
  ).toMatch(/`token` gave no Copilot token/);
});
