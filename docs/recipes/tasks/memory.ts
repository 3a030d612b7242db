import { type Message, run } from "@fullstop/loop";
import { openai } from "@fullstop/provider-openai";

const adapter = openai("gpt-5.5");
const first = await run({ adapter, prompt: "My name is Ada." }).outcome();

const stored = JSON.stringify(first.messages); // in a file, a database, a session
const messages = JSON.parse(stored) as Message[];
console.log(await run({ adapter, messages, prompt: "What is my name?" }).text());
