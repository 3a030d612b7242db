import fc from "fast-check";
import { seed } from "./property.ts";

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed });
