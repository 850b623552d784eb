import { useEffect, useRef, useState } from "preact/hooks";
import { send } from "../../parts/ask.ts";
import { Button } from "../../parts/button.tsx";
import { keepDraft, readDraft } from "../../parts/drafts.ts";
import { Trouble } from "../../parts/texts.tsx";
import { type Answer, chatPath, fetchMessages, type Message, type Seat, type Where } from "./chat-api.ts";
import type { Written } from "./composer.tsx";
import type { MessageFeed } from "./message-feed.ts";
import { moderationOf } from "./message-words.ts";

interface Outgoing extends Written {
  /** Client's id, which identifies the message when it appears. */
  readonly muid: string;
  readonly error?: unknown;
  /** The outcome of an accepted message that does not appear. */
  readonly note?: string;
}

const lookedAt = 100;

export function useOutgoing(seat: Seat, where: Where, shown: readonly Message[], feed: MessageFeed) {
  const draft = `unsent ${seat.appId} ${seat.uid} ${where.peer.type} ${where.peer.id} ${where.parentId ?? ""}`;
  const [sent, setSent] = useState(() => readUnsent(draft));
  const line = useRef(Promise.resolve());
  // A message that appeared was sent, even if its answer was lost.
  const known = new Set(shown.map(({ muid }) => muid));
  const items = sent.filter(({ muid }) => !known.has(muid));
  useUnsent(draft, items);
  const update = (muid: string, change: Pick<Outgoing, "error" | "note">) =>
    setSent((now) => now.map((item) => (item.muid === muid ? { ...item, ...change } : item)));
  const remove = (muid: string) => setSent((now) => now.filter((item) => item.muid !== muid));

  const transmit = async (item: Outgoing) => {
    try {
      const message = await sendMessage(seat, where, item);
      if (!(await feed.onNews())) return; // removed when it appears
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
    send(written: Written) {
      const item = { ...written, muid: crypto.randomUUID() };
      setSent((now) => [...now, item]);
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

function readUnsent(draft: string): readonly Outgoing[] {
  const kept: readonly Pick<Outgoing, "muid" | "text" | "quoted">[] = JSON.parse(readDraft(draft) ?? "[]");
  return kept.map((item) => ({ ...item, files: [], error: new Error("It may not have been sent.") }));
}

/** Keeps unsent messages, except files. */
function useUnsent(draft: string, items: readonly Outgoing[]) {
  const kept = items.filter(({ files, note }) => files.length === 0 && note === undefined);
  const text = JSON.stringify(kept.map(({ muid, text, quoted }) => ({ muid, text, quoted })));
  useEffect(() => keepDraft(draft, kept.length === 0 ? undefined : text), [text]);
}

async function sendMessage({ appId, uid }: Seat, { peer, parentId }: Where, written: Outgoing) {
  const { muid, text, files, quoted } = written;
  const path = chatPath(appId, parentId === undefined ? ["messages"] : ["messages", parentId, "thread"]);
  const fields = {
    receiver: peer.id,
    receiverType: peer.type,
    category: "message",
    muid,
    ...(quoted !== undefined && { quotedMessageId: quoted.id }),
  };
  const data = text === "" ? {} : { text };
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set("data", JSON.stringify(data));
  for (const [index, file] of files.entries()) form.set(`file${index}`, file);
  const body = files.length === 0 ? { ...fields, type: "text", data } : form;
  return (await send<Answer<Message>>("POST", path, body, uid)).data;
}

export function Pending({ items, retry, drop }: ReturnType<typeof useOutgoing>) {
  if (items.length === 0) return null;
  return (
    <ul class="chat-pending" aria-label="Being sent">
      {items.map((item) => {
        const { muid, files, text, error, note } = item;
        return (
          <li key={muid} class="chat-message is-mine">
            <div class="chat-bubble">
              {files.map(({ name }) => (
                <p key={name}>{name}</p>
              ))}
              {text !== "" && (
                <p class="chat-text" dir="auto">
                  {text.slice(0, 500)}
                </p>
              )}
              {error === undefined && <p class="row soft chat-foot">{note ?? "sending…"}</p>}
              <Trouble error={error} />
              {(error ?? note) !== undefined && (
                <div class="buttons">
                  {error && <Button act={() => retry(item)}>Send again</Button>}
                  <Button kind="quiet" act={() => drop(item)}>
                    Dismiss
                  </Button>
                </div>
              )}
            </div>
          </li>
        );
      })}
    </ul>
  );
}
