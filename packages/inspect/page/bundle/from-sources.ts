import type { PageBundle } from "../../src/page/page-bundle.ts";
import { bundlePage } from "./bundle.ts";

/** `#page` inside this repository: the page as its sources are now. */
export const pageBundle: PageBundle = await bundlePage();
