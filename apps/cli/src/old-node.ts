/** The oldest Node with everything that this package and its dependencies use. */
const oldest = [22, 12] as const;

/** What to do if this version of Node, such as `20.1.0`, is too old: the rest may not load there. */
export function oldNode(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major > oldest[0] || (major === oldest[0] && minor >= oldest[1])) return undefined;
  return `Node ${oldest.join(".")} or newer is needed, and this is Node ${version}. With npx alone: npx -p node@22 -p fullstop fullstop`;
}
