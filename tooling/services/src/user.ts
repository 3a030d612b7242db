import { execFileSync } from "node:child_process";

/** The account that a server runs under. */
export interface User {
  readonly uid: number;
  readonly gid: number;
}

/** An account without rights if this process is root, because some servers refuse to run as root. */
export function findServerUser(): User | undefined {
  if (process.getuid?.() !== 0) return undefined;
  for (const name of ["postgres", "nobody"]) {
    const [uid, gid] = ["-u", "-g"].map((flag) => idOf(flag, name));
    if (uid !== undefined && gid !== undefined) return { uid, gid };
  }
  return undefined;
}

function idOf(flag: string, name: string): number | undefined {
  try {
    return Number(execFileSync("id", [flag, name], { stdio: ["ignore", "pipe", "ignore"] }));
  } catch {
    return undefined; // this machine has no such account
  }
}
