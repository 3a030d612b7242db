// @boundaries-ignore the template stands on this package, so that this one cannot depend on it
import acme from "../../../tooling/new-provider/template/test/subject.ts";

/**
 * The provider that every new one begins as: a small protocol with all that a protocol may have.
 */
export default acme;
