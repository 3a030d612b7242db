import { openai } from "@fullstop/provider-openai";
import { chatHandler } from "@fullstop/ui";

export const POST = chatHandler({ adapter: openai("gpt-5.5") });
