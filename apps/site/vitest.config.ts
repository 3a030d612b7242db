export { default } from "@tooling/test/package";
