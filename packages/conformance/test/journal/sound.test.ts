import { journalConformance } from "../../src/journal/index.ts";
import { memorySubject } from "./memory.ts";

/** A table in memory answers at once. */
journalConformance(memorySubject(), { leasesMs: [150, 4000, 15_000] });
