import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

interface Holder {
  /** Only processes of the same place can see each other. */
  readonly place: string;
  readonly pid: number;
  /** When it started; empty if the platform does not report it. */
  readonly start: string;
}

const isLinux = process.platform === "linux";

let known: { readonly text: string | null } | undefined;
/** This process. `null`: it may not read who it is, so only the end of its lease frees its runs. */
export function thisHolder(): string | null {
  known ??= { text: describeThisProcess() };
  return known.text;
}

function describeThisProcess(): string | null {
  try {
    const { pid } = process;
    const holder: Holder = { place: findPlace(), pid, start: startOf(pid) ?? "" };
    return JSON.stringify(holder);
  } catch {
    return null;
  }
}

/** Containers have names of their own for processes, and share the file all the same. */
const findPlace = (): string =>
  isLinux
    ? `${readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()} ${readlinkSync("/proc/self/ns/pid")}`
    : hostname();

/** The process has ended for certain, so its lease need not be waited for. */
export function hasEnded(holder: unknown): boolean {
  const mine = thisHolder();
  if (typeof holder !== "string" || mine === null) return false;
  const { place, pid, start } = JSON.parse(holder) as Holder;
  if (place !== (JSON.parse(mine) as Holder).place) return false;
  return !isProcess(pid) || (startOf(pid) ?? start) !== start;
}

/** Also true for a process of another user, which `/proc` may hide. */
function isProcess(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

/** When the process started, or that it is a zombie. Undefined if that cannot be read. */
function startOf(pid: number): string | undefined {
  if (!isLinux) return undefined;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // proc(5): the name in parentheses can contain any character. The state follows it, and the
    // start time 19 fields later.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return fields[0] === "Z" || fields[0] === "X" ? "zombie" : fields[19];
  } catch {
    return undefined;
  }
}
