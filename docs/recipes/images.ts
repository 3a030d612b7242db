// Images: from a file, by URL, and as the output of a tool. node images.ts plan.png
import { readFile } from "node:fs/promises";
import { run, tool } from "@fullstop/loop";
import { anthropic } from "@fullstop/provider-anthropic";
import { z } from "zod";

const [file = "plan.png"] = process.argv.slice(2);

const photograph = tool({
  name: "photograph",
  description: "Take a picture with a camera of the building.",
  inputSchema: z.object({ camera: z.enum(["door", "yard"]) }),
  execute: async ({ camera }) => [
    { type: "text", text: `The ${camera}, now:` },
    // A picture of one pixel. Base64, without `data:` before it.
    { type: "image", mediaType: "image/gif", data: "R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs=" },
  ],
});

const text = await run({
  adapter: anthropic("claude-sonnet-5-5"),
  tools: [photograph],
  prompt: [
    { type: "image", mediaType: "image/png", data: await readFile(file, "base64") },
    // The provider loads it, without your credentials.
    { type: "image", url: "https://example.com/building.jpg" },
    { type: "text", text: "The plan, and a picture of last year. What is different today?" },
  ],
}).text();
console.log(text);
