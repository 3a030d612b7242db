import { expect, test } from "vitest";
import { runControls } from "../src/controls.ts";

test("the counts show that a journal without a lease lets two workers make each effect", async () => {
  expect(await runControls(1, ["has-no-lease"])).toMatchObject([{ isCaught: true }]);
});
