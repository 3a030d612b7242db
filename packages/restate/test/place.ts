import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Message, ReviewedCall } from "@fullstop/loop";
import { MissingServiceError, type RestateService, startRestate } from "@tooling/test/services";
import { afterAll, afterEach, beforeEach, expect } from "vitest";
import type { ToolName } from "./agent.ts";
import type { WorkerOptions } from "./worker.ts";

/** Makes the second worker start faster. */
const compileCache = mkdtempSync(join(tmpdir(), "compiled-"));
const program = fileURLToPath(new URL("./worker.ts", import.meta.url));

/** A worker process, and the port of its endpoint. */
export interface Worker {
  readonly process: ChildProcess;
  readonly pid: number;
  readonly port: number;
  /** What it wrote to its standard error. */
  errors(): string;
  kill(): Promise<void>;
}

async function startWorker(options: WorkerOptions): Promise<Worker> {
  const child = spawn(
    process.execPath,
    ["--conditions=@fullstop/source", program, JSON.stringify(options)],
    {
      stdio: ["pipe", "pipe", "pipe"],
      env: { ...process.env, RESTATE_LOGGING: "WARN", NODE_COMPILE_CACHE: compileCache },
    },
  );
  const exit = once(child, "exit");
  let errors = "";
  child.stderr.on("data", (text: Buffer) => {
    errors += text.toString();
  });
  const [line] = (await Promise.race([
    once(child.stdout, "data"),
    exit.then(() => Promise.reject(new Error(`The worker ended before it served. ${errors}`))),
  ])) as [Buffer];
  const kill = async (): Promise<void> => {
    child.kill("SIGKILL");
    await exit;
  };
  return { process: child, pid: child.pid ?? 0, port: Number(line), errors: () => errors, kill };
}

/** A workflow that one worker at a time serves, behind an address that stays the same. */
export interface Place {
  readonly name: string;
  readonly folder: string;
  /** Starts a worker that takes the place of the last one. */
  work(options?: Partial<WorkerOptions>): Promise<Worker>;
  /** Calls a handler of the workflow with this key. */
  call(runId: string, handler: string, body?: unknown): Promise<Answer>;
  /** Waits for the result of the workflow. */
  attach(runId: string): Promise<Answer>;
  /** Waits until the run waits, and gives its calls. */
  waitFor(runId: string): Promise<readonly ReviewedCall[]>;
  /** Rows of Restate's introspection. */
  query(sql: string): Promise<readonly Record<string, unknown>[]>;
  end(): Promise<void>;
}
interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** The place of this test. */
export let place: Place;
let places = 0;

/**
 * Starts Restate for the tests of the file that calls this, and makes a new place for each of them.
 * If this machine has no Restate, each test of the file is skipped with a sentence.
 */
export async function startServer(): Promise<RestateService> {
  const started = await startRestate().catch((thrown: unknown) => {
    if (!(thrown instanceof MissingServiceError)) throw thrown;
    beforeEach(({ skip }) => skip(thrown.message));
    return unavailable;
  });
  if (started === unavailable) return started;
  beforeEach(async () => {
    place = await createPlace(started, `Agent${++places}`);
  });
  afterEach(() => place.end());
  afterAll(async () => {
    rmSync(compileCache, { recursive: true, force: true });
    await started.stop();
  });
  return started;
}

/** What the tests see of a server that is missing. They are skipped before they use it. */
const unavailable: RestateService = {
  url: "http://missing.invalid",
  adminUrl: "http://missing.invalid",
  pid: 0,
  stop: async () => {},
  kill: async () => {},
  restart: async () => {},
};

async function createPlace({ url, adminUrl }: RestateService, name: string): Promise<Place> {
  const folder = mkdtempSync(join(tmpdir(), "restate-"));
  const workers: Worker[] = [];
  const { port, cut, close } = await createProxy(() => workers.at(-1)?.port ?? 0);
  const addressOf = (runId: string, handler: string): string =>
    `${url}/${name}/${encodeURIComponent(runId)}/${handler}`;
  return {
    name,
    folder,
    work: async (options = {}) => {
      const worker = await startWorker({ name, ingressUrl: url, ...options });
      workers.push(worker);
      cut();
      if (workers.length > 1) return worker;
      const answer = await post(`${adminUrl}/deployments`, { uri: `http://127.0.0.1:${port}` });
      expect(answer).toMatchObject({ status: 201 });
      return worker;
    },
    call: (runId, handler, body) => post(addressOf(runId, handler), body),
    attach: async (runId) =>
      answerOf(await fetch(`${url}/restate/workflow/${name}/${encodeURIComponent(runId)}/attach`)),
    waitFor: async (runId) => {
      for (;;) {
        const { status, body } = await post(addressOf(runId, "waitingCalls"));
        expect(status).toBe(200);
        if (Array.isArray(body) && body.length > 0) return body;
        await sleep(20);
      }
    },
    query: async (query) => {
      const { body } = await post(`${adminUrl}/query`, { query });
      return (body as { readonly rows: readonly Record<string, unknown>[] }).rows;
    },
    end: async () => {
      for (const worker of workers) await worker.kill();
      close();
      rmSync(folder, { recursive: true });
    },
  };
}

interface Proxy {
  readonly port: number;
  /** Ends all connections. */
  readonly cut: () => void;
  readonly close: () => void;
}
/** An address of the loopback that leads to the port of the moment. */
async function createProxy(target: () => number): Promise<Proxy> {
  const sockets = new Set<Socket>();
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  };
  const proxy = createServer((from) => {
    const to = connect(target(), "127.0.0.1");
    for (const [one, other] of [[from, to] as const, [to, from] as const]) {
      sockets.add(one);
      one.on("error", () => {}).on("close", () => other.destroy()); // a worker was killed
      one.pipe(other);
    }
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  const close = (): void => {
    cut();
    proxy.close();
  };
  return { port: (proxy.address() as AddressInfo).port, cut, close };
}

async function post(url: string, body?: unknown): Promise<Answer> {
  const json = { accept: "application/json", "content-type": "application/json" };
  const init =
    body === undefined
      ? { headers: { accept: json.accept } }
      : { headers: json, body: JSON.stringify(body) };
  return answerOf(await fetch(url, { method: "POST", ...init }));
}
const answerOf = async (response: Response): Promise<Answer> => {
  const text = await response.text();
  return { status: response.status, body: text === "" ? undefined : JSON.parse(text) };
};

/** The lines of the file `world`: `begin charge 4711`. */
export const worldOf = (): readonly string[] =>
  existsSync(join(place.folder, "world"))
    ? readFileSync(join(place.folder, "world"), "utf8").split("\n").slice(0, -1)
    : [];
/** How often a tool began or ended, or its result was recorded. */
export const times = (name: ToolName, word: "begin" | "end" | "abort" | "result"): number =>
  worldOf().filter((line) => line.startsWith(`${word} ${name} `)).length;
/** Lets the tools end that wait. */
export const letGo = (): void => writeFileSync(join(place.folder, "go"), "");

/** Waits for something that happens in another process. */
export async function until(happened: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await happened())) await sleep(20);
}

/** What the model got from its calls, in their order. */
export function resultsOf(): readonly string[] {
  const text = readFileSync(join(place.folder, "messages.json"), "utf8");
  return (JSON.parse(text) as readonly Message[]).flatMap((message) =>
    message.role === "tool" ? message.content.map(({ content }) => String(content)) : [],
  );
}
