// @boundaries-ignore the template stands on this package, so that this one cannot depend on it
import acme from "../../../tooling/new-provider/template/test/subject.ts";

/** The template of new providers: a small protocol with every optional feature. */
export default acme;
