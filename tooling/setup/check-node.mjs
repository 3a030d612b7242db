// pnpm only warns when its install before a script fails, and then runs the script under the Node it was started with.
const wanted = 22;
const found = process.versions.node;
if (Number.parseInt(found, 10) < wanted) {
  process.stderr.write(
    `Fullstop needs Node ${wanted} or newer and brings its own, but this script runs under Node ${found}: ` +
      "the installation before it did not finish. Run `npx -y pnpm@12 install` and read its last lines.\n",
  );
  process.exit(1);
}
