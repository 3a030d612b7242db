import { clauses, type Subject } from "@fullstop/conformance";
import acme from "./acme.ts";

const promotes = clauses
  .flatMap(({ mutants = [] }) => mutants)
  .find(({ wrong }) => wrong === "runs calls without a terminal");

/** A correct adapter, and one that runs cut calls. */
const subjects: readonly Subject[] = [
  { ...acme, name: "sound" },
  { ...(promotes?.subject(acme) ?? acme), name: "promoting" },
];
export default subjects;
