/** Prints the help if it was asked for, or the output of the command; an error is exit code 1. */
export async function runCommand(
  { help, isHelp }: { readonly help: string; readonly isHelp: boolean | undefined },
  run: () => Promise<string>,
): Promise<void> {
  try {
    process.stdout.write(isHelp ? help : `${(await run()).trim()}\n`);
  } catch (thrown) {
    process.stderr.write(`${thrown instanceof Error ? thrown.message : String(thrown)}\n`);
    process.exitCode = 1;
  }
}
