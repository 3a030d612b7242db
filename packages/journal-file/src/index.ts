export { type FileJournal, fileJournal } from "./journal.ts";
