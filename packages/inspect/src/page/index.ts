export { type PageOptions, toPage } from "./page.ts";
