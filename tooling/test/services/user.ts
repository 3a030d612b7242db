import { execFileSync } from "node:child_process";

/** The account that a server runs under. */
export interface User {
  readonly uid: number;
  readonly gid: number;
}

/** By convention, the account and the group without any rights. */
const withoutRights: User = { uid: 65_534, gid: 65_534 };

/** An account without rights if this process is root, because some servers refuse to run as root. */
export function findServerUser(): User | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const [uid, gid] = ["-u", "-g"].map((flag) => idOf(flag, "postgres"));
  return uid === undefined || gid === undefined ? withoutRights : { uid, gid };
}

function idOf(flag: string, name: string): number | undefined {
  try {
    return Number(execFileSync("id", [flag, name], { stdio: ["ignore", "pipe", "ignore"] }));
  } catch {
    return undefined; // this machine has no such account
  }
}
