/** The oldest Node with everything that this package and its dependencies use. */
const oldestNode = [22, 12] as const;

/** Whether a version such as `22.12.0` is older. */
function isTooOld(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major < oldestNode[0] || (major === oldestNode[0] && minor < oldestNode[1]);
}

/**
 * Runs the command with the arguments of this process, and sets its exit code. With a Node that is
 * too old it says which is needed, and loads nothing else: the rest may not even load there.
 */
export async function runCommand(): Promise<void> {
  const { node } = process.versions;
  if (isTooOld(node)) {
    process.exitCode = 2;
    process.stderr.write(
      `conformance: Node ${oldestNode.join(".")} or newer is needed, and this is Node ${node}. With npx alone: npx -p node@22 -p @fullstop/conformance-cli conformance\n`,
    );
    return;
  }
  const { parseArguments } = await import("./run-command.ts");
  await parseArguments();
}
