import { judge, type LoopSubject, report } from "@fullstop/conformance";
import { overSockets } from "@fullstop/conformance/server";
import { isFull } from "@tooling/test/full";

/** The families that are about which calls run. `test:all` asks the others, too. */
const families: readonly (string | undefined)[] = isFull ? [undefined] : ["stop", "call", "error"];

/** Asks the clauses over a real socket. */
export async function askOverSocket(
  subject: LoopSubject,
): Promise<{ readonly broken: readonly string[]; readonly asked: number }> {
  const host = await overSockets();
  const broken: string[] = [];
  let asked = 0;
  try {
    for (const only of families)
      for await (const verdict of judge(subject, { host, jobs: 4, only })) {
        asked += verdict.checks;
        if (verdict.status === "broken") broken.push(report(verdict));
      }
  } finally {
    await host.close();
  }
  return { broken, asked };
}
