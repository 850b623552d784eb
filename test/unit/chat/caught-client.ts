import { createChatClient } from "../../../lib/chat/client.ts";

/** A client whose requests are recorded; each is answered with the same data. */
export function caught(data: unknown = { id: "1", uid: "a", success: true }) {
  const seen: { url: string; init: RequestInit }[] = [];
  const fetch = async (url: string | URL | Request, init: RequestInit = {}) => {
    seen.push({ url: String(url), init });
    return Response.json({ data });
  };
  return { seen, fetch, chat: createChatClient({ appId: "app1", apiKey: "key", fetch }) };
}

/** A client with these answers in order, then the last one repeatedly. */
export function answered(...answers: readonly (() => Response)[]) {
  let requests = 0;
  const chat = createChatClient({
    appId: "app1",
    apiKey: "key",
    sleep: async () => {},
    fetch: async () => (answers[requests++] ?? answers.at(-1))?.() ?? Response.error(),
  });
  return { chat, requests: () => requests };
}
