import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { clearRestateState } from "@tooling/test/services";
import pg from "pg";
import { serviceOf } from "./restate-engine.ts";
import type { Place } from "./spec.ts";
import { blockedName } from "./worker/faulty.ts";

/** Lets writes go on again. */
export type EndBlock = () => void | Promise<void>;

/** What can be done to the journal of a place. */
export interface Harm {
  /** Locks the table of the steps. */
  readonly lock?: (place: Place) => EndBlock | Promise<EndBlock>;
  /** Lets each new step fail, because there is no space. Undefined: the worker gets a limit of files. */
  readonly fill?: (place: Place) => EndBlock | Promise<EndBlock>;
  /** Deletes the journal of a run. */
  readonly remove?: (place: Place, run: string) => void | Promise<void>;
}

async function connect({ url }: Place): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => {}); // its connection was cut; what it did shows it
  await client.connect();
  return client;
}

const postgres = {
  lock: async (place: Place): Promise<EndBlock> => {
    const client = await connect(place);
    await client.query("begin; lock table fullstop.journal_steps in access exclusive mode");
    return () => client.end();
  },
  fill: async (place: Place): Promise<EndBlock> => {
    const client = await connect(place);
    await client.query(`
      create or replace function fullstop.no_space() returns trigger language plpgsql as
        $$ begin raise exception 'No space left on device' using errcode = '53100'; end $$;
      create trigger no_space before insert on fullstop.journal_steps
        for each row execute function fullstop.no_space()`);
    return async () => {
      await client.query("drop trigger no_space on fullstop.journal_steps");
      await client.end();
    };
  },
  remove: async (place: Place, run: string): Promise<void> => {
    const client = await connect(place);
    await client.query("delete from fullstop.journal_runs where run_id = $1", [run]);
    await client.end();
  },
};

const block = ({ folder }: Place): EndBlock => {
  const file = join(folder, blockedName);
  writeFileSync(file, "");
  return () => rmSync(file);
};

const harms: Readonly<Partial<Record<Place["row"], Harm>>> = {
  file: { remove: ({ folder }, run) => rmSync(join(folder, `${run}.jsonl`)) },
  sqlite: {
    lock: ({ folder }) => {
      const other = new DatabaseSync(join(folder, "runs.db"));
      other.exec("begin immediate");
      return () => other.close();
    },
    remove: ({ folder }) => {
      for (const suffix of ["", "-wal", "-shm"])
        rmSync(join(folder, `runs.db${suffix}`), { force: true });
    },
  },
  postgres,
  restate: {
    remove: ({ adminUrl = "" }, run) => clearRestateState(adminUrl, `${serviceOf(run)}Journal`),
  },
  dbos: postgres,
  "waits-for-lock": { lock: block },
  "waits-for-space": { fill: block },
  "outlives-deletion": {
    remove: ({ folder }, run) => rmSync(join(folder, `${run}.faulty.jsonl`), { force: true }),
  },
};
export const harmOf = ({ row }: Place): Harm => harms[row] ?? {};

/** Rows whose files the workers write themselves. */
export const writesFiles = ({ row }: Place): boolean => row === "file" || row === "sqlite";
