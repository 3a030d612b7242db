import {
  checkOptions,
  type OptionKinds,
  parsePlainJson,
  positiveInteger,
} from "@fullstop/core/adapter";
import type { Message, ReviewedCall } from "@fullstop/loop";

/** What a server remembers of one chat. Plain JSON. */
export interface StoredChat {
  /** 1 when the chat is stored for the first time, and 1 more each time. */
  readonly version: number;
  /** The conversation. It ends before the turn of `waiting`. */
  readonly messages: readonly Message[];
  /** The ids of the user's messages in the page, and where they are in `messages`. */
  readonly questions: readonly { readonly id: string; readonly at: number }[];
  /** The calls that wait for the page, and their turn. */
  readonly waiting?: { readonly turn: unknown; readonly calls: readonly ReviewedCall[] };
}

/** Where `chatHandler` remembers conversations. */
export interface ChatStore {
  load(chatId: string): StoredChat | undefined | Promise<StoredChat | undefined>;
  /**
   * Stores a chat if the stored one has the version before it (`chat.version - 1`; a chat that is
   * not stored has 0), and returns whether it did. Do both in one step of the database: it is what
   * keeps two pages from answering the same call.
   */
  save(chatId: string, chat: StoredChat): boolean | Promise<boolean>;
}

/** How much a store in memory holds. Chats that were not used for the longest time are dropped. */
export interface MemoryChatStoreOptions {
  /** Default: 1,000. */
  readonly maxChats?: number | undefined;
  /** The length of all chats as JSON, in characters. Default: 64 Mi. */
  readonly maxChars?: number | undefined;
}

const storeKinds: OptionKinds<Required<MemoryChatStoreOptions>> = {
  maxChats: positiveInteger,
  maxChars: positiveInteger,
};

/**
 * Remembers chats in the memory of this process.
 * @throws TypeError or RangeError for options that cannot work.
 */
export function memoryChatStore(options: MemoryChatStoreOptions = {}): ChatStore {
  checkOptions(options, storeKinds, { of: "memoryChatStore" });
  const { maxChats = 1_000, maxChars = 64 * 1024 * 1024 } = options;
  const texts = new Map<string, string>();
  let chars = 0;
  const load = (chatId: string): StoredChat | undefined => {
    const text = texts.get(chatId);
    return text === undefined ? undefined : parsePlainJson(text);
  };
  const drop = (chatId: string): void => {
    chars -= texts.get(chatId)?.length ?? 0;
    texts.delete(chatId);
  };
  return {
    load,
    save: (chatId, chat) => {
      if (chat.version !== (load(chatId)?.version ?? 0) + 1) return false;
      drop(chatId);
      const text = JSON.stringify(chat);
      texts.set(chatId, text);
      chars += text.length;
      for (const oldest of texts.keys()) {
        if (texts.size <= maxChats && chars <= maxChars) break;
        drop(oldest);
      }
      return true;
    },
  };
}
