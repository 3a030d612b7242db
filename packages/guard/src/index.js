export { guard } from "./guard.ts";
