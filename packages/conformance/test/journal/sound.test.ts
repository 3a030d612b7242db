import { journalConformance } from "../../src/journal/index.ts";
import { memorySubject } from "./memory.ts";

journalConformance(memorySubject());
