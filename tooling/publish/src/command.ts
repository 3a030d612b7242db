/** Prints the output of the command; an error is exit code 1. */
export async function runCommand(run: () => Promise<string>): Promise<void> {
  try {
    process.stdout.write(`${(await run()).trim()}\n`);
  } catch (thrown) {
    process.stderr.write(`${thrown instanceof Error ? thrown.message : String(thrown)}\n`);
    process.exitCode = 1;
  }
}
