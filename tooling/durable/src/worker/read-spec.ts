/**
 * What this process has to do. The command holds the other end of the standard input, so a worker
 * does not outlive it.
 */
export function readSpec<Spec>(): Spec {
  const end = (): never => process.exit(4);
  process.stdin.on("end", end).on("error", end).resume();
  return JSON.parse(process.argv[2] ?? "") as Spec;
}
