export { fileJournal } from "./journal.ts";
