import { useMemo, useRef, useState } from "preact/hooks";
import { AskError, send } from "../../parts/ask.ts";
import { Button } from "../../parts/button.tsx";
import { Trouble } from "../../parts/texts.tsx";
import { notifyFailed } from "../../parts/toasts.tsx";
import { chatPath, clientPath, type Where } from "./chat-api.ts";
import type { Message, Seat } from "./chat-types.ts";
import { Composer, type Reference } from "./composer.tsx";
import { JoinGroup } from "./group.tsx";
import { MessageList } from "./message-list.tsx";
import { FlagDialog, MessageMenu, ReactionMenu } from "./message-menu.tsx";
import type { RowActs } from "./message-row.tsx";
import { Pending, useOutgoing } from "./outgoing.tsx";
import { useFeed } from "./use-feed.ts";

interface Opened {
  readonly kind: "menu" | "reactions" | "flag";
  readonly message: Message;
  readonly anchor: HTMLElement;
}

interface TalkProps extends Where {
  readonly seat: Seat;
  readonly target?: string | undefined;
  readonly label: string;
  readonly sendsReceipts: boolean;
  readonly onThread: ((message: Message) => void) | undefined;
}

/** The messages of a conversation or a thread, and what is written. */
export function Talk({ seat, target, label, sendsReceipts, onThread, ...where }: TalkProps) {
  const { appId, uid } = seat;
  const { peer, conversationId, parentId } = where;
  const shown = useFeed(seat, where, target);
  const { state, feed } = shown;
  const outgoing = useOutgoing(seat, where, state.window.messages, feed);
  const [opened, setOpened] = useState<Opened>();
  const [reference, setReference] = useState<Reference>();
  const react = async ({ id }: Message, reaction: string, isMine: boolean) => {
    const path = chatPath(appId, ["messages", id, "reactions", reaction]);
    await send(isMine ? "DELETE" : "POST", path, undefined, uid);
    await feed.hearNews();
  };
  const threadOf = useRef(onThread);
  threadOf.current = onThread;
  const hasThreads = onThread !== undefined;
  const acts = useMemo<RowActs>(
    () => ({
      react: (...reaction) => void react(...reaction).catch(notifyFailed),
      openReactions: (message, anchor) => setOpened({ kind: "reactions", message, anchor }),
      openMenu: (message, anchor) => setOpened({ kind: "menu", message, anchor }),
      openThread: hasThreads ? (message) => threadOf.current?.(message) : undefined,
    }),
    [feed, hasThreads],
  );
  const markRead = useReading(seat, state.window.messages, sendsReceipts);
  const { error } = state;
  if (error instanceof AskError && error.code === "ERR_GROUP_NOT_JOINED") {
    return (
      <section class="column" aria-label={label}>
        <JoinGroup seat={seat} guid={peer.id} onJoined={() => void feed.open()} />
      </section>
    );
  }
  return (
    <section class="column" aria-label={label}>
      <Trouble error={error}>
        <Button act={() => feed.open()}>Try again</Button>
      </Trouble>
      <MessageList label={`Messages: ${label}`} {...{ seat, shown, acts, target }} onEnd={markRead}>
        <Pending {...outgoing} />
      </MessageList>
      <Composer
        key={`${uid} ${conversationId} ${parentId}`}
        seat={seat}
        draftKey={`chat ${appId} ${uid} ${conversationId} ${parentId ?? ""}`}
        label={parentId === undefined ? `Write as ${uid}` : `Reply as ${uid}`}
        reference={reference}
        onReferenceDone={() => setReference(undefined)}
        onSend={outgoing.send}
      />
      {opened && (
        <Menus {...{ seat, opened, react, onThread }} onOpen={setOpened} onReference={setReference} />
      )}
    </section>
  );
}

function useReading({ appId, uid }: Seat, messages: readonly Message[], sendsReceipts: boolean) {
  const readId = useRef(0);
  return (newest: Message) => {
    const last = messages.findLast(({ sender, deletedAt }) => sender !== uid && !deletedAt);
    if (!sendsReceipts || last === undefined || Number(newest.id) <= readId.current) return;
    readId.current = Number(newest.id);
    send("POST", clientPath(appId, ["messages", last.id, "read"]), { uid }).catch(notifyFailed);
  };
}

interface MenusProps {
  readonly seat: Seat;
  readonly opened: Opened;
  readonly react: (message: Message, reaction: string, isMine: boolean) => Promise<void>;
  readonly onThread: ((message: Message) => void) | undefined;
  readonly onOpen: (opened: Opened | undefined) => void;
  readonly onReference: (reference: Reference) => void;
}

function Menus({ seat, opened, react, onThread, onOpen, onReference }: MenusProps) {
  const { kind, message, anchor } = opened;
  const close = () => onOpen(undefined);
  if (kind === "flag") return <FlagDialog seat={seat} message={message} onClose={close} />;
  if (kind === "reactions") {
    const give = (reaction: string) => react(message, reaction, false);
    return <ReactionMenu anchor={anchor} onClose={close} onReact={give} />;
  }
  return (
    <MessageMenu
      {...{ seat, message, anchor }}
      onClose={close}
      onQuote={() => onReference({ kind: "quote", message })}
      onThread={onThread && (() => onThread(message))}
      onEdit={() => onReference({ kind: "edit", message })}
      onFlag={() => onOpen({ ...opened, kind: "flag" })}
    />
  );
}
