import { useEffect, useRef, useState } from "preact/hooks";
import { fetchMessages } from "./chat-api.ts";
import type { Message, Peer, Seat } from "./chat-types.ts";
import type { MessageFeed } from "./message-feed.ts";
import { moderationOf } from "./message-words.ts";
import { type Outgoing, sendOutgoing } from "./outgoing.ts";

/** Searched for a message whose answer was lost. */
const lookedAt = 100;

/** The outgoing messages of one composer, sent one after the other. */
export function useOutgoing(
  seat: Seat,
  where: { peer: Peer; conversationId: string; parentId: string | undefined },
  shown: readonly Message[],
  feed: MessageFeed,
) {
  const [items, setItems] = useState<readonly Outgoing[]>([]);
  const line = useRef(Promise.resolve());
  const known = useRef(new Set<string>());
  known.current = new Set(shown.flatMap(({ muid }) => muid ?? []));

  // A message that has appeared was sent, even if its answer was lost.
  const settle = (change: (items: readonly Outgoing[]) => readonly Outgoing[]) =>
    setItems((now) => change(now).filter(({ muid }) => !known.current.has(muid)));
  useEffect(() => {
    if (items.length > 0) settle((now) => now);
  }, [shown]);

  const update = (muid: string, change: Partial<Outgoing>) =>
    settle((now) => now.map((item) => (item.muid === muid ? { ...item, ...change } : item)));
  const remove = (muid: string) => settle((now) => now.filter((item) => item.muid !== muid));

  const transmit = async (item: Outgoing) => {
    try {
      const message = await sendOutgoing(seat, where, item);
      if (!(await feed.hearNews())) return; // removed when it appears
      const moderation = moderationOf(message);
      // A rule can block the whole message: then it never appears.
      if (moderation?.status !== "disapproved") return remove(item.muid);
      update(item.muid, { note: `disapproved by rule ${moderation.rule ?? "unknown"} and not kept` });
    } catch (error) {
      update(item.muid, { error });
    }
  };

  return {
    items,
    send({ text, files, quoted }: Pick<Outgoing, "text" | "files" | "quoted">) {
      const item = { muid: crypto.randomUUID(), text, files, quoted, error: undefined, note: undefined };
      setItems((now) => [...now, item]);
      line.current = line.current.then(() => transmit(item));
    },
    async retry(item: Outgoing) {
      const newest = await fetchMessages(seat, where, { affix: "prepend", limit: lookedAt });
      if (newest.some(({ muid }) => muid === item.muid)) return remove(item.muid);
      update(item.muid, { error: undefined });
      await transmit(item);
    },
    drop: ({ muid }: Outgoing) => remove(muid),
  };
}
