import { run } from "@fullstop/loop";
import { openai } from "@fullstop/provider-openai";

const { textStream } = run({ adapter: openai("gpt-5.5"), prompt: "Tell me a story." });
for await (const text of textStream) process.stdout.write(text);
