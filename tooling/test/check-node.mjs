// If the install before a script fails, pnpm only warns and runs the script with its own Node.
const wanted = 22;
const found = process.versions.node;
if (Number.parseInt(found, 10) < wanted) {
  process.stderr.write(
    `Fullstop needs Node ${wanted} or newer and installs it, but this script runs with Node ${found}: ` +
      "the installation did not finish. Run `npx -y pnpm@12 install` and read its last lines.\n",
  );
  process.exit(1);
}
