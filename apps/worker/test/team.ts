import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  MissingServiceError,
  type RestateService,
  type Service,
  startPostgres,
  startRestate,
} from "@tooling/test/services";
import pg from "pg";
import { afterAll, beforeEach, expect } from "vitest";
import { type ModelServer, startModel } from "../src/model/server.ts";
import { type Ended, type Env, startWorker, type WorkerProcess, worker } from "./processes.ts";

/** A database, a model and a folder, and the workers and people that use them. */
export interface Team {
  /** Called before each reply of the model. A test sets it to hold a reply. */
  hold: (position: number) => void | Promise<void>;
  /** The positions of the model's replies so far. */
  readonly replies: number[];
  readonly site: string;
  readonly postgres: Service;
  hire(env?: Env): WorkerProcess;
  /** A person's command. */
  ask(args: readonly string[], env?: Env): Promise<Ended>;
  /** A person's command that must succeed. Gives what it prints. */
  order(args: readonly string[], env?: Env): Promise<string>;
  /** What `runs --json` says about a run. */
  listed(runId: string): Promise<Readonly<Record<string, unknown>> | undefined>;
  query(text: string, values?: unknown[]): Promise<readonly Record<string, unknown>[]>;
  /** What was published for a run. */
  publications(runId: string): readonly string[];
}

const leaseSeconds = "2";

/**
 * If this machine lacks a server that the engine needs, each test of the file is skipped with a
 * sentence.
 */
export async function startTeam(engine: "dbos" | "restate" = "dbos"): Promise<Team> {
  const services = await startServices(engine).catch((thrown: unknown) => {
    if (thrown instanceof MissingServiceError) return thrown;
    throw thrown;
  });
  if (services instanceof MissingServiceError) {
    beforeEach(({ skip }) => skip(services.message));
    return unavailable;
  }
  const { postgres, restate } = services;
  const site = mkdtempSync(join(tmpdir(), "fullstop-worker-"));
  const pool = new pg.Pool({ connectionString: postgres.url });
  pool.on("error", () => {}); // a test kills the server
  const hired: WorkerProcess[] = [];
  const team = createTeam({
    env: await environmentOf(services, site),
    postgres,
    site,
    pool,
    hired,
  });
  const model = await startModel({
    beforeReply: async (position) => {
      await team.hold(position);
      team.replies.push(position);
    },
  });
  team.connect(model);
  beforeEach(() => {
    team.hold = () => {};
    team.replies.length = 0;
    return async () => {
      await Promise.all(hired.splice(0).map((one) => one.end("SIGKILL")));
    };
  });
  afterAll(async () => {
    await pool.end();
    await Promise.all([model.close(), postgres.stop(), restate?.stop()]);
    rmSync(site, { recursive: true, force: true });
  });
  return team;
}

interface Services {
  readonly postgres: Service;
  readonly restate: RestateService | undefined;
}
async function startServices(engine: "dbos" | "restate"): Promise<Services> {
  const restate = engine === "restate" ? await startRestate() : undefined;
  try {
    return { postgres: await startPostgres(), restate };
  } catch (thrown) {
    await restate?.stop();
    throw thrown;
  }
}

async function environmentOf({ postgres, restate }: Services, site: string): Promise<Env> {
  return {
    DATABASE_URL: postgres.url,
    SITE: site,
    LEASE_SECONDS: leaseSeconds,
    POLL_SECONDS: "0.1",
    ...(restate && {
      ENGINE: "restate",
      RESTATE_INGRESS: restate.url,
      RESTATE_ADMIN: restate.adminUrl,
      RESTATE_WORKERS: `http://127.0.0.1:${await findFreePort()}`,
      RESTATE_LOGGING: "ERROR",
    }),
  };
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

interface TeamParts {
  readonly env: Env;
  readonly postgres: Service;
  readonly site: string;
  readonly pool: pg.Pool;
  readonly hired: WorkerProcess[];
}
function createTeam({
  env: shared,
  postgres,
  site,
  pool,
  hired,
}: TeamParts): Team & { connect(model: ModelServer): void } {
  const env: Record<string, string> = { ...shared };
  const ask: Team["ask"] = (args, own = {}) => worker(args, { ...env, ...own });
  const order: Team["order"] = async (args, own) => {
    const { code, stdout, stderr } = await ask(args, own);
    expect([stderr, code]).toEqual(["", 0]);
    return stdout;
  };
  return {
    hold: () => {},
    replies: [],
    postgres,
    site,
    connect: (model) => {
      env["MODEL_URL"] = model.url;
    },
    hire: (own = {}) => {
      const one = startWorker({ ...env, ...own });
      hired.push(one);
      return one;
    },
    ask,
    order,
    listed: async (runId) => {
      const lines = (await order(["runs", "--json"])).trim().split("\n");
      return lines.map((line) => JSON.parse(line)).find(({ run }) => run === runId);
    },
    query: async (text, values = []) => (await pool.query(text, values)).rows,
    publications: (runId) =>
      readFileSync(join(site, "publications.jsonl"), { encoding: "utf8", flag: "a+" })
        .split("\n")
        .filter((line) => line.includes(`"run":"${runId}"`)),
  };
}

/** Only used by tests that are skipped. */
const unavailable = new Proxy({} as Team, {
  // A promise looks for `then` when it resolves.
  get: (_, name) =>
    name === "then"
      ? undefined
      : () => {
          throw new Error("The test uses a database that could not be started.");
        },
});
