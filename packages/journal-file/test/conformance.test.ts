import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { journalConformance } from "@fullstop/conformance/journal";
import { fileJournal } from "@fullstop/journal-file";

journalConformance({
  name: "journal-file",
  notClaimed: {
    "journal.runs-apart": "The lock belongs to the file. Processes use a file for each run.",
  },
  create: () => {
    const folder = mkdtempSync(join(tmpdir(), "journal-"));
    return {
      connect: () => fileJournal(join(folder, "run.jsonl")),
      remove: () => rmSync(join(folder, "run.jsonl")),
      close: () => rmSync(folder, { recursive: true }),
    };
  },
});
