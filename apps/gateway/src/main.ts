#!/usr/bin/env node
import { setFlagsFromString } from "node:v8";
import { runCommand } from "./command.ts";

// V8 otherwise collects garbage only when the heap has grown to a multiple of what is used, so that
// the limits of a gateway would not bound its memory.
setFlagsFromString("--heap-growing-percent=20");

await runCommand();
