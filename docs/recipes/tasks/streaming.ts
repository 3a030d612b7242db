import { run } from "@fullstop/loop";
import { openai } from "@fullstop/provider-openai";

const agent = run({ adapter: openai("gpt-5.5"), prompt: "Tell me a story." });
for await (const event of agent) if (event.type === "text") process.stdout.write(event.text);
