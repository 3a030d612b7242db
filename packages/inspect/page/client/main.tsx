import { render } from "preact";
import type { PageData } from "../../src/page/page-data.ts";
import { App } from "./app.tsx";
import { openRecording } from "./recording-source.ts";

performance.mark("fullstop-start");
const textOf = (id: string): string => document.getElementById(id)?.textContent ?? "";
const data = JSON.parse(textOf("options")) as PageData;
const root = document.getElementById("page");
if (root !== null) {
  root.replaceChildren();
  render(
    <App source={openRecording(textOf("recording"), data.live !== undefined)} data={data} />,
    root,
  );
  performance.mark("fullstop-shown");
}
