import { createChatClient } from "../../../lib/chat/client.ts";
import { createJumpingTime } from "../../helpers/jumping-time.ts";
import { reply, startLoopback } from "./loopback.ts";

/**
 * Starts a platform that accepts `limit` messages per user and span and answers others with a 429, and two
 * clients of it.
 * @param numbers Returns an answer's headers for the number of messages left; below 0 with a 429.
 */
export async function startLimited(
  spanMs: number,
  limit: number,
  numbers: (left: number) => Record<string, string>,
) {
  const time = createJumpingTime();
  const used = new Map<string, number>();
  const stored: { muid: string; atMs: number }[] = [];
  const refused: string[] = [];
  const { baseUrlTemplate } = await startLoopback(({ headers, body }, response) => {
    const { muid } = JSON.parse(body) as { muid: string };
    const key = `${headers.onbehalfof} ${Math.floor(time.now() / spanMs)}`;
    const count = (used.get(key) ?? 0) + 1;
    used.set(key, count);
    if (count > limit) {
      refused.push(muid);
      const seconds = Math.ceil((spanMs - (time.now() % spanMs)) / 1_000);
      reply(response, 429, {}, { ...numbers(limit - count), "retry-after": String(seconds) });
      return;
    }
    stored.push({ muid, atMs: time.now() });
    reply(response, 200, { data: { id: String(stored.length), muid } }, numbers(limit - count));
  });
  const options = { appId: "app1", apiKey: "key", baseUrlTemplate, ...time };
  const clients = [createChatClient(options), createChatClient(options)] as const;
  const send = (number: 0 | 1, muid: string, onBehalfOf?: string) =>
    clients[number].messages.send(
      { receiver: "zoe", receiverType: "user", data: { text: "hi" }, muid },
      { onBehalfOf },
    );
  return { time, stored, refused, clients, send };
}
