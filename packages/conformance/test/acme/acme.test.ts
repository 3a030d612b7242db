import { conform } from "../../src/vitest.ts";
import subject from "./wire.ts";

conform(subject);
