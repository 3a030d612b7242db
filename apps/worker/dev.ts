import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startPostgres } from "@tooling/test/services";

/** The same set-up as compose.yaml without containers: PostgreSQL and two workers, until Ctrl-C. */
const main = fileURLToPath(new URL("src/main.ts", import.meta.url));
const postgres = await startPostgres();
const site = mkdtempSync(join(tmpdir(), "fullstop-site-"));
const env = { ...process.env, DATABASE_URL: postgres.url, SITE: site, LEASE_SECONDS: "5" };
const workers = [1, 2].map(() =>
  spawn(process.execPath, ["--conditions=@fullstop/source", main, "worker"], {
    stdio: "inherit",
    env,
    detached: true, // Ctrl-C reaches this process only, which then ends the workers
  }),
);
process.stderr.write(`
Two workers run. In another terminal, in this folder:
  export DATABASE_URL=${postgres.url}
  pnpm start start page-1
  pnpm start runs
Pages: ${site}
Ctrl-C ends everything and removes the database and the pages.
`);
await Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
await Promise.all(
  workers.map(async (worker) => {
    worker.kill("SIGTERM");
    if (worker.exitCode === null && worker.signalCode === null) await once(worker, "exit");
  }),
);
await postgres.stop();
rmSync(site, { recursive: true, force: true });
