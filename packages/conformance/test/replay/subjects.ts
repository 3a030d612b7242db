import type { Subject } from "../../src/index.ts";
import acme from "../acme.ts";
import { adapterMutants } from "../mutants.ts";

const promotes = adapterMutants.find(({ wrong }) => wrong === "runs calls without a terminal");

/** An adapter that is sound, and one that runs what was cut. */
const subjects: readonly Subject[] = [
  { ...acme, name: "sound" },
  { ...(promotes?.subject(acme) ?? acme), name: "promoting" },
];
export default subjects;
