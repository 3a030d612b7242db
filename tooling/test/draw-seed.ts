import { randomInt } from "node:crypto";

process.env["FULLSTOP_SEED"] ??= String(randomInt(2 ** 31)); // read by `property.ts`
