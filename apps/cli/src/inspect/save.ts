import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createFolder } from "@fullstop/conformance-cli/folders";
import { type RecordingView, type ReplyView, toFixture } from "@fullstop/inspect/view";
import { UsageError } from "../files.ts";
import { printable } from "../printable.ts";

interface SaveFlags {
  /** The id of the reply. */
  readonly reply: string;
  readonly dir?: string;
  readonly expected?: "call" | "withheld";
}

/**
 * Writes a reply as files of the corpus, and prints their names. Files that exist stay.
 * @throws UsageError if the recording does not hold this reply, or a file cannot be written.
 * @throws RecordingError if the reply cannot be a fixture.
 */
export async function saveReply(
  { runs }: RecordingView,
  { reply: id, dir = ".", expected }: SaveFlags,
): Promise<void> {
  const replies = runs.flatMap(({ turns }) => turns.flatMap((turn) => turn.replies));
  const reply = replies.find((one) => one.id === id);
  if (reply === undefined) throw new UsageError(noReply(id, replies));
  const files = toFixture(reply, { expected });
  await writeFiles(files, dir);
  for (const { name } of files) process.stdout.write(`${join(dir, name)}\n`);
}

async function writeFiles(
  files: readonly { readonly name: string; readonly text: string }[],
  folder: string,
): Promise<void> {
  try {
    createFolder(folder);
    for (const { name, text } of files)
      await writeFile(join(folder, name), text, { flag: "wx", mode: 0o600 });
  } catch (thrown) {
    const { code, message, path } = thrown as NodeJS.ErrnoException;
    throw new UsageError(
      code === "EEXIST"
        ? `${path} exists already, and stays as it is. Name another folder with --dir.`
        : `cannot write the fixture: ${message}`,
    );
  }
}

const maxShown = 20;

function noReply(id: string, replies: readonly ReplyView[]): string {
  const ids = replies.slice(0, maxShown).map((reply) => printable(reply.id));
  const more = replies.length > maxShown ? ", … (--text has all of them)" : "";
  const known =
    ids.length === 0 ? "It has no replies." : `Its replies are ${ids.join(", ")}${more}.`;
  return `the recording has no reply "${printable(id)}". ${known}`;
}
