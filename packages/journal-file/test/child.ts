import { dieAt, live } from "./agent.ts";

/** Lives until the point with this number, and dies there as by `kill -9`. */
const [, , folder = "", number = "0"] = process.argv;
await live(folder, dieAt(Number(number)));
