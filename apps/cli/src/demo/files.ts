import {
  closeSync,
  constants,
  type Dirent,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from "node:fs";
import { dirname, isAbsolute, join, relative, sep, win32 } from "node:path";
import { type PartialInput, type Tool, tool } from "@fullstop/loop";
import { z } from "zod";
import type { Input } from "./fault.ts";

const path = z.string().describe("Relative to the folder.");
const schemas = {
  list: z.object({ path: path.default(".") }),
  read: z.object({ path }),
  write: z.object({ path, content: z.string() }),
  edit: z.object({
    path,
    find: z.string().min(1).describe("Text that is in the file exactly once."),
    replace: z.string(),
  }),
};

/** Tools for the files of one folder. `onExecute` is called before each execution. */
export function createFileTools(
  folder: string,
  onExecute: (execution: Input) => void,
): readonly Tool[] {
  const resolve = createPathResolver(folder);
  const recorded =
    <ToolInput extends Input["input"]>(name: string, execute: (input: ToolInput) => string) =>
    (input: ToolInput): string => {
      onExecute({ name, input });
      return execute(input);
    };
  return [
    tool({
      name: "list",
      description: "Lists the files in the folder or in a subfolder.",
      inputSchema: schemas.list,
      execute: recorded("list", ({ path }) => listFolder(resolve(path))),
    }),
    tool({
      name: "read",
      description: "Reads a text file.",
      inputSchema: schemas.read,
      execute: recorded("read", ({ path }) => readText(resolve(path))),
    }),
    tool({
      name: "write",
      description: "Writes a text file, and replaces an existing one.",
      inputSchema: schemas.write,
      execute: recorded("write", ({ path, content }) => writeText(resolve(path), content)),
      salvage: { continueWith: ["edit"], input: completeWrite },
    }),
    tool({
      name: "edit",
      description: "Replaces one piece of a text file.",
      inputSchema: schemas.edit,
      execute: recorded("edit", (input) => editText(resolve(input.path), input)),
    }),
  ];
}

/** Writes the beginning of the content if the content was cut. `edit` can add the rest. */
function completeWrite({
  complete,
  incomplete,
}: PartialInput): z.input<typeof schemas.write> | undefined {
  if (incomplete !== undefined && incomplete.key !== "content") return undefined;
  const cut = incomplete === undefined ? {} : { [incomplete.key]: incomplete.text };
  const { data } = schemas.write.safeParse({ ...complete, ...cut });
  return data?.content === "" ? undefined : data;
}

/** Turns a path inside the folder into an absolute one. Throws if the path can lead outside. */
function createPathResolver(folder: string): (path: string) => string {
  const root = realpathSync(folder);
  return (path) => {
    if (path === "" || path.includes("\0"))
      throw new Error(
        `"${path.replaceAll("\0", "\\0")}" is not a path. Use a relative path inside the folder, such as "index.html".`,
      );
    if (isAbsolute(path) || win32.isAbsolute(path) || win32.parse(path).root !== "")
      throw outsideError(path);
    const target = join(root, path);
    const inside = relative(root, target);
    if (inside === ".." || inside.startsWith(`..${sep}`) || isAbsolute(inside))
      throw outsideError(path);
    assertNoLinks(root, inside === "" ? [] : inside.split(sep));
    return target;
  };
}

const outsideError = (path: string): Error =>
  new Error(`"${path}" leads out of the folder. Use a relative path inside it.`);

/** Throws if a part of the path is a link: a link can lead anywhere, and can change later. */
function assertNoLinks(root: string, names: readonly string[]): void {
  let at = root;
  for (const name of names) {
    at = join(at, name);
    const found = lstatSync(at, { throwIfNoEntry: false });
    if (found === undefined) return;
    if (found.isSymbolicLink())
      throw new Error(`"${relative(root, at)}" is a symbolic link. Links are not followed.`);
  }
}

/** The files of the folder and its subfolders, by path. Links are not read. */
export function readFiles(folder: string): ReadonlyMap<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(
    (entry) => !entry.isDirectory(),
  );
  const textOf = (entry: Dirent, at: string): string =>
    entry.isFile() ? readFileSync(at, "utf8") : "(not a regular file)";
  return new Map(
    entries
      .map((entry) => [entry, `${entry.parentPath}${sep}${entry.name}`] as const)
      .map(([entry, at]) => [relative(folder, at).replaceAll(sep, "/"), textOf(entry, at)] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

// The file operations are synchronous: the calls of one reply run in parallel, and two edits of one
// file must not overlap.

function listFolder(folder: string): string {
  const names = readdirSync(folder, { withFileTypes: true }).map((entry) =>
    entry.isDirectory() ? `${entry.name}/` : entry.name,
  );
  return names.length === 0 ? "The folder is empty." : names.sort().join("\n");
}

/** Refuses a link at the end of a path again, if the system supports it. */
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

function overwrite(at: string, content: string): void {
  withFile(at, constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC, (file) =>
    writeFileSync(file, content),
  );
}

function writeText(at: string, content: string): string {
  mkdirSync(dirname(at), { recursive: true });
  overwrite(at, content);
  return `${content.length} characters written.`;
}

function editText(at: string, { path, find, replace }: z.output<typeof schemas.edit>): string {
  const pieces = readText(at).split(find);
  const count = pieces.length - 1;
  if (count === 0) throw new Error(`"${find}" is not in ${path}.`);
  if (count > 1)
    throw new Error(`"${find}" is in ${path} ${count} times. Include more of the text around it.`);
  overwrite(at, pieces.join(replace));
  return `${find.length} characters became ${replace.length}.`;
}
