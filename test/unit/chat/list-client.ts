import { createChatClient } from "../../../lib/chat/client.ts";

/** A client whose platform answers list requests with a function of the query. */
export function clientFor(answer: (query: URLSearchParams) => object) {
  const asked: string[] = [];
  const chat = createChatClient({
    appId: "app1",
    apiKey: "key",
    fetch: async (url) => {
      asked.push(new URL(String(url)).search);
      return Response.json(answer(new URL(String(url)).searchParams));
    },
  });
  return { chat, asked };
}
