import {
  closeSync,
  constants,
  type Dirent,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { dirname, relative, sep } from "node:path";
import { type PartialInput, type Tool, tool } from "@fullstop/loop";
import { z } from "zod";
import { createJail } from "./jail.ts";
import type { Input } from "./script.ts";

const path = z.string().describe("Relative to the folder.");
const schemas = {
  list: z.object({ path: path.default(".") }),
  read: z.object({ path }),
  write: z.object({ path, content: z.string() }),
  edit: z.object({
    path,
    find: z.string().min(1).describe("Must stand in the file exactly once."),
    replace: z.string(),
  }),
};

/** Tools for the files of one folder, and of nothing outside it. `ran` hears of every execution, before it does anything. */
export function fileTools(folder: string, ran: (execution: Input) => void): readonly Tool[] {
  const jail = createJail(folder);
  const told =
    <Given extends Input["input"]>(name: string, act: (given: Given) => string) =>
    (given: Given): string => {
      ran({ name, input: given });
      return act(given);
    };
  return [
    tool({
      name: "list",
      description: "The files in the folder, or in one below it.",
      inputSchema: schemas.list,
      execute: told("list", ({ path }) => listed(jail(path))),
    }),
    tool({
      name: "read",
      description: "The text of a file.",
      inputSchema: schemas.read,
      execute: told("read", ({ path }) => readText(jail(path))),
    }),
    tool({
      name: "write",
      description: "Writes a text file; replaces it where there is one.",
      inputSchema: schemas.write,
      execute: told("write", ({ path, content }) => write(jail(path), content)),
      salvage: { continueWith: ["edit"], input: begun },
    }),
    tool({
      name: "edit",
      description: "Replaces one piece of a text file.",
      inputSchema: schemas.edit,
      execute: told("edit", ({ path, find, replace }) => edit(jail(path), { path, find, replace })),
    }),
  ];
}

/** What arrived of a file is its beginning, to which `edit` can add the rest. */
function begun({
  complete: whole,
  incomplete: cut,
}: PartialInput): z.input<typeof schemas.write> | undefined {
  const { data } = schemas.write.safeParse(
    cut === undefined ? whole : { ...whole, [cut.key]: cut.text },
  );
  return data && data.content !== "" && (cut === undefined || cut.key === "content")
    ? data
    : undefined;
}

/** The files below the folder with their text, links and other things by their kind. */
export function filesIn(folder: string): ReadonlyMap<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(
    (entry) => !entry.isDirectory(),
  );
  const text = (entry: Dirent, at: string): string =>
    entry.isFile() ? readFileSync(at, "utf8") : "(no regular file)";
  return new Map(
    entries
      .map((entry) => [entry, `${entry.parentPath}${sep}${entry.name}`] as const)
      .map(([entry, at]) => [relative(folder, at).replaceAll(sep, "/"), text(entry, at)] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

const listed = (folder: string): string => {
  const names = readdirSync(folder, { withFileTypes: true }).map((entry) =>
    entry.isDirectory() ? `${entry.name}/` : entry.name,
  );
  return names.length === 0 ? "The folder is empty." : names.sort().join("\n");
};

// All of a file operation is synchronous: the calls of one reply run side by side, and two edits of a file must not meet.

/** Where the system can, the last step refuses links once more. */
const noFollow = constants.O_NOFOLLOW ?? 0;

function withFile<T>(at: string, flags: number, use: (file: number) => T): T {
  const file = openSync(at, flags | noFollow, 0o644);
  try {
    return use(file);
  } finally {
    closeSync(file);
  }
}

const readText = (at: string): string =>
  withFile(at, constants.O_RDONLY, (file) => readFileSync(file, "utf8"));

function replaceText(at: string, content: string): void {
  withFile(at, constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC, (file) =>
    writeFileSync(file, content),
  );
}

function write(at: string, content: string): string {
  mkdirSync(dirname(at), { recursive: true });
  replaceText(at, content);
  return `${content.length} characters written.`;
}

function edit(at: string, { path, find, replace }: z.output<typeof schemas.edit>): string {
  const before = readText(at);
  const pieces = before.split(find);
  if (pieces.length !== 2) {
    throw new Error(
      pieces.length === 1
        ? `"${find}" is not in ${path}.`
        : `"${find}" is in ${path} ${pieces.length - 1} times: give more of its surroundings.`,
    );
  }
  replaceText(at, pieces.join(replace));
  return `${find.length} characters became ${replace.length}.`;
}
