import type { ProtocolName } from "../protocols.ts";
import type { Door } from "./door.ts";

/** Their libraries load only if they are asked for. */
const doors = {
  "ai-sdk": async (): Promise<Door> => (await import("./ai-sdk.ts")).aiSdk,
  langchain: async (): Promise<Door> => (await import("./langchain.ts")).langchain,
};
export type DoorName = keyof typeof doors;
export const doorNames = Object.keys(doors) as readonly DoorName[];

/** The protocols that the models of a library speak. */
export const doorProtocols: Readonly<Record<DoorName, readonly ProtocolName[]>> = {
  "ai-sdk": ["anthropic", "responses", "chat", "gemini", "interactions", "converse"],
  langchain: ["anthropic", "responses", "chat", "gemini"],
};

export const openDoor = (name: DoorName): Promise<Door> => doors[name]();
