import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Anthropic from "@anthropic-ai/sdk";
import { finding, judge, report, type Verdict } from "@fullstop/conformance";
import { reporters } from "@fullstop/conformance-cli";
import type { Adapter } from "@fullstop/core";
import { anthropic } from "@fullstop/provider-anthropic";
import { copilot } from "@fullstop/provider-copilot";
import { google } from "@fullstop/provider-google";
import { openai, openaiChat } from "@fullstop/provider-openai";
import { GoogleGenAI } from "@google/genai";
import { isFull } from "@tooling/test/full";
import { places } from "@tooling/test/sample";
import OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { expectNoSecret, type Seen, seenOf } from "./seen.ts";
import { deadAddress, serve } from "./server.ts";
import { findLeaks, type VisibleTexts } from "./shown.ts";
import {
  repeatingSituations,
  type Situation,
  sendingSituations,
  userSecret,
} from "./situations.ts";
import { type Speaker, speakers } from "./speakers.ts";

/** In the format of GitHub. */
const githubToken = "gho_16C7e42F292c6912E7710c838347Ae178B4a";

const other = "request 77/Gz1+Hu6yE4SkN0wXoI2bMc5QiD3fU9";

let folder: string;
let runs = 0;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fullstop-secrets-"));
  for (const { variable } of Object.values(speakers))
    if (variable !== undefined) vi.stubEnv(variable, userSecret);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true });
});

/** Where the files of the next run begin. */
const nextPath = (): string => join(folder, `${runs++}`);

/**
 * Collects the visible texts of one failure. `quoted` is the text that the server or the `fetch`
 * repeats.
 */
async function fail(speaker: Speaker, situation: Situation, quoted: string): Promise<Seen> {
  const { answer, options: reach, fromEnvironment, idleMs } = situation;
  await using server = answer && (await serve(answer(quoted, speaker)));
  const baseURL = server?.address ?? (await deadAddress());
  const own = fromEnvironment && speaker.variable !== undefined ? {} : { apiKey: userSecret };
  const adapter = speaker.adapter({ ...own, baseURL, ...reach?.(quoted, baseURL) });
  return await seenOf(adapter, nextPath(), idleMs);
}

/**
 * In a sample each adapter is in a fifth of the situations, and each situation has a fifth of the
 * adapters. It finds a fault of one adapter, or one that all of them have in a situation. A fault of
 * one adapter in one situation alone may be found by `pnpm test:all` only.
 */
const situationsFor = (
  speaker: Speaker,
  situations: Readonly<Record<string, Situation>>,
): readonly (readonly [string, Situation])[] => {
  const number = Object.values(speakers).indexOf(speaker);
  return Object.entries(situations).filter((_, at) => isFull || at % 5 === number % 5);
};

describe.each(Object.entries(speakers))("%s", (_, speaker) => {
  test.concurrent.each([
    ...situationsFor(speaker, repeatingSituations),
    ...situationsFor(speaker, sendingSituations),
  ])("does not show the secret: %s", async (_, situation) => {
    expectNoSecret(await fail(speaker, situation, userSecret), userSecret);
  });

  test.concurrent.each(situationsFor(speaker, repeatingSituations))(
    "shows a text that is not the secret: %s",
    async (_, situation) => {
      const { shown } = await fail(speaker, situation, other);
      const isQuoted = !situation.quotesNothing?.includes(speaker.wire.framing ?? "sse");
      expect(findLeaks(shown, other).length > 0).toBe(isQuoted);
    },
  );

  test("every observer and the journal write what the provider says", async () => {
    const { shown, written } = await fail(
      speaker,
      repeatingSituations["401 repeats it"] ?? {},
      other,
    );
    expect(findLeaks(shown, other)).toEqual(expect.arrayContaining(Object.keys(written)));
  });
});

describe("Copilot", () => {
  test.each([
    [
      "an error",
      new Error(`401 for the token ${githubToken}`, {
        cause: { headers: { authorization: `token ${githubToken}` } },
      }),
    ],
    ["a text", `401 for ${githubToken}`],
    ["data", { status: 401, error: { message: githubToken } }],
  ])("does not show a token that the exchange throws as %s", async (_, thrown) => {
    const token = async (): Promise<never> => {
      throw thrown;
    };
    const seen = await seenOf(copilot("gpt-4.1", { token }), nextPath());
    expect(findLeaks(seen.shown, githubToken)).toEqual([]);
  });
});

describe("a client from the user", () => {
  const repeats = async (_: unknown, init?: RequestInit): Promise<Response> =>
    Response.json(
      { error: { message: JSON.stringify([...new Headers(init?.headers)]) } },
      { status: 401 },
    );
  const clients: Readonly<Record<string, () => Adapter>> = {
    anthropic: () =>
      anthropic("claude-sonnet-5-5", {
        client: new Anthropic({ apiKey: userSecret, fetch: repeats, maxRetries: 0 }),
      }),
    "anthropic, with a token": () =>
      anthropic("claude-sonnet-5-5", {
        client: new Anthropic({ apiKey: null, authToken: userSecret, fetch: repeats }),
      }),
    google: () =>
      google("gemini-3.1-pro", {
        client: new GoogleGenAI({ apiKey: userSecret, httpOptions: { fetch: repeats } }),
      }),
    openai: () => openai("gpt-6", { client: new OpenAI({ apiKey: userSecret, fetch: repeats }) }),
    "openai, with a header": () =>
      openaiChat("gpt-6", {
        client: new OpenAI({
          apiKey: "none",
          defaultHeaders: { "x-gateway-key": userSecret },
          fetch: repeats,
        }),
      }),
  };
  test.each(Object.entries(clients))("does not show its key: %s", async (_, adapter) => {
    expectNoSecret(await seenOf(adapter(), nextPath()), userSecret);
  });
});

describe("a report of the conformance suite", () => {
  const judged = async (speaker: Speaker, quoted: string): Promise<VisibleTexts> => {
    const fetch = async (): Promise<Response> =>
      Response.json({ error: { message: quoted, type: quoted, code: quoted } }, { status: 401 });
    const subject = {
      wire: speaker.wire,
      adapter: () => speaker.adapter({ apiKey: userSecret, baseURL: "http://127.0.0.1", fetch }),
    };
    const verdicts: Verdict[] = [];
    for await (const verdict of judge(subject, { only: "error", sample: places() }))
      verdicts.push(verdict);
    const findings = Object.fromEntries(
      verdicts.map((verdict) => [verdict.clause.id, finding(verdict)]),
    );
    const about = {
      suite: "0",
      at: "2026-01-01T00:00:00Z",
      clauses: verdicts.map(({ clause }) => clause),
    };
    const whole = { ...about, subjects: [{ name: "subject", wire: speaker.wire.name, findings }] };
    return {
      text: verdicts.map(report).join("\n"),
      ...Object.fromEntries(Object.entries(reporters).map(([name, write]) => [name, write(whole)])),
    };
  };
  // Each report is written in the same way.
  const reported = Object.entries(speakers).filter((_, at) => isFull || at % 3 === 0);
  test.concurrent.each(reported)("does not show the secret of %s", async (_, speaker) => {
    expect(findLeaks(await judged(speaker, userSecret), userSecret)).toEqual([]);
  });
});
