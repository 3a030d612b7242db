import { run } from "@fullstop/loop";
import { openai } from "@fullstop/provider-openai";
import { z } from "zod";

const Recipe = z.object({ name: z.string(), minutes: z.int(), steps: z.array(z.string()) });

const agent = run({ adapter: openai("gpt-5.5"), output: Recipe, prompt: "A recipe for waffles." });
const { name, minutes } = await agent.output(); // rejects if the answer was cut, refused or does not fit
console.log(`${name}: ${minutes} minutes`);
