import { setTimeout } from "node:timers/promises";
import { type MissingServiceError, type Service, startPostgres } from "@tooling/test/services";
import { expect, onTestFinished } from "vitest";
import { type Asked, type Model, type Said, startModel } from "./model.ts";
import { type Program, start } from "./program.ts";

/** A request to the shop: an effect that a tool has. */
export interface Effect {
  readonly path: string;
  readonly key: string;
}

/** The model and the shop that the program talks to. */
export interface World {
  readonly model: Model;
  /** What the shop was asked to do, in order. */
  readonly effects: readonly Effect[];
  /** The shop does what it is asked from now on, but does not answer requests of this path. */
  hold(path: string): void;
  /** Answers what is held. */
  release(path: string): void;
  /** Resolves when the shop got so many requests of this path. */
  reached(path: string, count?: number): Promise<void>;
}

/** The model calls each tool of the agent. */
export const threeCalls: Said = {
  calls: [
    { name: "reserve", input: { article: "bolt" } },
    { name: "charge", input: { cents: 5000 } },
    { name: "notify", input: { message: "It is on its way." } },
  ],
};
/** A person has to decide about it. */
export const bigCharge: Said = { calls: [{ name: "charge", input: { cents: 20_000 } }] };

export async function startWorld(script: (asked: Asked) => Said | Promise<Said>): Promise<World> {
  const effects: Effect[] = [];
  const held = new Map<string, PromiseWithResolvers<void>>();
  const count = (path: string): number => effects.filter((effect) => effect.path === path).length;
  const model = await startModel(script, async ({ path, headers }) => {
    effects.push({ path, key: headers["idempotency-key"] ?? "" });
    await held.get(path)?.promise;
    return { number: effects.length, path };
  });
  onTestFinished(() => model.close());
  return {
    model,
    effects,
    hold: (path) => held.set(path, Promise.withResolvers()),
    release: (path) => {
      held.get(path)?.resolve();
      held.delete(path);
    },
    reached: (path, wanted = 1) =>
      expect.poll(() => count(path), { timeout: 30_000, interval: 20 }).toBe(wanted),
  };
}

/** What `GET /orders/<id>` answers. */
export interface Shown {
  readonly status: string;
  readonly output?: { readonly status: string; readonly text: string };
  readonly question: {
    readonly topic: string;
    readonly calls: readonly {
      readonly id: string;
      readonly name: string;
      readonly input: object;
      readonly needs: string;
    }[];
  } | null;
}

/** A process of `dbos/server`. */
export interface Worker extends Program {
  readonly url: string;
  show(id: string): Promise<Shown>;
  send(method: string, path: string, body?: string): Promise<Response>;
  /** Resolves when the run asks something. */
  asks(id: string): Promise<NonNullable<Shown["question"]>>;
  /** Resolves with the result of the run. */
  ends(id: string): Promise<Shown["output"]>;
}

let databases = 0;
/** A database that DBOS creates. */
export const databaseOf = ({ url }: Service): string => {
  const database = new URL(url);
  database.pathname = `/orders_${++databases}`;
  return database.href;
};

export async function startWorker(
  { model }: World,
  database: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Worker> {
  const settings = { DATABASE_URL: database, PORT: "0", LEASE_MS: "1500", GRACE_MS: "0", ...env };
  const program = start("dbos/server", { model: model.url, env: settings });
  const [, port = ""] = /^port (\d+)$/m.exec(await program.printed("port ")) ?? [];
  const url = `http://127.0.0.1:${port}`;
  const show = async (id: string): Promise<Shown> =>
    (await (await fetch(`${url}/orders/${id}`)).json()) as Shown;
  const until = async <T>(look: () => Promise<T | null | undefined>): Promise<T> => {
    for (;;) {
      const found = await look();
      if (found != null) return found;
      await setTimeout(100);
    }
  };
  return {
    ...program,
    url,
    show,
    send: (method, path, body) =>
      fetch(`${url}${path}`, { method, ...(body !== undefined && { body }) }),
    asks: (id) => until(async () => (await show(id)).question),
    ends: (id) =>
      until(async () => {
        const { status, output } = await show(id);
        return status === "SUCCESS" ? output : undefined;
      }),
  };
}

/** Starts a server, or returns the sentence that says what is missing. */
export const findPostgres = (): Promise<Service | MissingServiceError> =>
  startPostgres().catch((thrown: unknown) => {
    if (thrown instanceof Error && thrown.name === "MissingServiceError")
      return thrown as MissingServiceError;
    throw thrown;
  });
