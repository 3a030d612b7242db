import { adapterControls, type Subject } from "@fullstop/conformance";
import acme from "./acme.ts";

const promotes = adapterControls.find(({ wrong }) => wrong === "runs calls without a terminal");

/** An adapter that is sound, and one that runs what was cut. */
const subjects: readonly Subject[] = [
  { ...acme, name: "sound" },
  { ...(promotes?.subject(acme) ?? acme), name: "promoting" },
];
export default subjects;
