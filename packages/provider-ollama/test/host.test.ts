import { readTurn } from "@fullstop/core";
import { type OllamaOptions, ollama } from "@fullstop/provider-ollama";
import { fakeServer } from "@tooling/test/fake-server";
import { afterEach, describe, expect, test, vi } from "vitest";
import { last, ndjsonOf, text } from "./chunks.ts";
import { stream } from "./server.ts";

afterEach(() => vi.unstubAllEnvs());

async function sentTo(options: OllamaOptions = {}) {
  const { fetch, requests } = fakeServer([() => stream(ndjsonOf([text("Hi."), last("stop")]))]);
  await readTurn(ollama("qwen3", { fetch, ...options }), {
    messages: [{ role: "user", content: "Go." }],
  });
  const [request] = requests;
  return { url: request?.url, key: request?.headers.get("authorization") };
}

describe("OLLAMA_HOST", () => {
  test.each([
    [undefined, "http://127.0.0.1:11434"],
    ["", "http://127.0.0.1:11434"],
    ["gpu-box", "http://gpu-box:11434"],
    ["gpu-box:8080", "http://gpu-box:8080"],
    [":8080", "http://127.0.0.1:8080"],
    ["0.0.0.0", "http://127.0.0.1:11434"],
    ["0.0.0.0:8080", "http://127.0.0.1:8080"],
    ["[::]:8080", "http://[::1]:8080"],
    ["[::1]", "http://[::1]:11434"],
    ["::1", "http://[::1]:11434"],
    ["http://gpu-box", "http://gpu-box"],
    ["http://gpu-box:11434/", "http://gpu-box:11434"],
    ["https://gpu-box", "https://gpu-box"],
    ["https://gpu-box/ollama/", "https://gpu-box/ollama"],
    ['"gpu-box"', "http://gpu-box:11434"],
    [" gpu-box ", "http://gpu-box:11434"],
    ["gpu-box:99999", "http://gpu-box:11434"],
    ["ollama.com", "https://ollama.com"],
  ])("%s", async (value, url) => {
    vi.stubEnv("OLLAMA_HOST", value);
    expect((await sentTo()).url).toBe(`${url}/api/chat`);
  });

  test("a given base URL wins", async () => {
    vi.stubEnv("OLLAMA_HOST", "gpu-box");
    expect((await sentTo({ baseURL: "http://127.0.0.1:1/" })).url).toBe(
      "http://127.0.0.1:1/api/chat",
    );
  });
});

describe("the key", () => {
  test("of OLLAMA_API_KEY goes to ollama.com only", async () => {
    vi.stubEnv("OLLAMA_API_KEY", "cloud");
    vi.stubEnv("OLLAMA_HOST", "ollama.com");
    expect((await sentTo()).key).toBe("Bearer cloud");
    expect((await sentTo({ baseURL: "https://ollama.com" })).key).toBe("Bearer cloud");
    for (const baseURL of ["http://127.0.0.1:1", "https://ollama.com.example", "http://ollama.com"])
      expect((await sentTo({ baseURL })).key).toBeNull();
  });

  test("that is given goes to any server, and a header wins", async () => {
    expect((await sentTo({ apiKey: "mine" })).key).toBe("Bearer mine");
    expect((await sentTo({ headers: { authorization: "Basic abc" } })).key).toBe("Basic abc");
  });
});
