/** What the suite uses of Node 22. */
const hasNewest = (): boolean =>
  typeof Map.groupBy === "function" && typeof Promise.withResolvers === "function";

/** @throws Error if the runtime is too old for the suite. */
export function assertRuntime(): void {
  if (hasNewest()) return;
  throw new Error(
    `The suite needs Node 22.12 or newer, and this is Node ${process.versions.node}.`,
  );
}
