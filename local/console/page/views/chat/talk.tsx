import { type Dispatch, type StateUpdater, useMemo, useRef, useState } from "preact/hooks";
import { AskError, ask } from "../../parts/ask.ts";
import { Button } from "../../parts/button.tsx";
import { notifyFailed } from "../../parts/toasts.tsx";
import { chatPath, clientPath } from "./chat-api.ts";
import type { Message, Peer, Seat } from "./chat-types.ts";
import { Composer, type Reference } from "./composer.tsx";
import { FlagDialog } from "./flag-dialog.tsx";
import { JoinGroup } from "./join-group.tsx";
import { MessageList } from "./message-list.tsx";
import { MessageMenu, ReactionMenu } from "./message-menu.tsx";
import type { RowActs } from "./message-row.tsx";
import { Pending } from "./pending.tsx";
import { Trouble } from "./trouble.tsx";
import { useFeed } from "./use-feed.ts";
import { useOutgoing } from "./use-outgoing.ts";

interface Opened {
  readonly kind: "menu" | "reactions" | "flag";
  readonly message: Message;
  readonly anchor: HTMLElement;
}

interface TalkProps {
  seat: Seat;
  peer: Peer;
  conversationId: string;
  parentId?: string | undefined;
  target?: string | undefined;
  label: string;
  sendsReceipts: boolean;
  onThread: ((message: Message) => void) | undefined;
}

export function Talk({ sendsReceipts, onThread, ...where }: TalkProps) {
  const { seat, peer, conversationId, parentId, target, label } = where;
  const { state, feed, setLook } = useFeed(seat, { peer, conversationId, parentId, messageId: target });
  const outgoing = useOutgoing(seat, { peer, conversationId, parentId }, state.window.messages, feed);
  const [opened, setOpened] = useState<Opened>();
  const [reference, setReference] = useState<Reference>();

  const react = (message: Message, reaction: string, isMine: boolean) =>
    ask(chatPath(seat.appId, ["messages", message.id, "reactions", reaction]), {
      method: isMine ? "DELETE" : "POST",
      onBehalfOf: seat.uid,
    }).then(async () => void (await feed.hearNews()));

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
  return (
    <section class="column" aria-label={label}>
      {isOutside(error) ? (
        <JoinGroup seat={seat} guid={peer.id} onJoined={() => void feed.open()} />
      ) : (
        <>
          <Trouble error={error}>
            <Button act={() => feed.open()}>Try again</Button>
          </Trouble>
          <MessageList
            label={`Messages: ${label}`}
            {...seat}
            {...{ state, feed, setLook, acts, target }}
            onEnd={markRead}
          >
            <Pending items={outgoing.items} onRetry={outgoing.retry} onDrop={outgoing.drop} />
          </MessageList>
          <Composer
            key={`${seat.uid} ${conversationId} ${parentId}`}
            seat={seat}
            draftKey={`${seat.appId} ${seat.uid} ${conversationId} ${parentId ?? ""}`}
            label={parentId === undefined ? `Write as ${seat.uid}` : `Reply as ${seat.uid}`}
            reference={reference}
            onReferenceDone={() => setReference(undefined)}
            onSend={outgoing.send}
          />
        </>
      )}
      {opened !== undefined && <Menus {...{ seat, opened, setOpened, setReference, react, onThread }} />}
    </section>
  );
}

function useReading(seat: Seat, messages: readonly Message[], sendsReceipts: boolean) {
  const readId = useRef(0);
  return (newest: Message) => {
    const last = messages.findLast(({ sender, deletedAt }) => sender !== seat.uid && !deletedAt);
    if (!sendsReceipts || last === undefined || Number(newest.id) <= readId.current) return;
    readId.current = Number(newest.id);
    const path = clientPath(seat.appId, ["messages", last.id, "read"]);
    ask(path, { method: "POST", body: { uid: seat.uid } }).catch(notifyFailed);
  };
}

function Menus({
  seat,
  opened,
  setOpened,
  setReference,
  react,
  onThread,
}: {
  seat: Seat;
  opened: Opened;
  setOpened: Dispatch<StateUpdater<Opened | undefined>>;
  setReference: (reference: Reference) => void;
  react: (message: Message, reaction: string, isMine: boolean) => Promise<void>;
  onThread: ((message: Message) => void) | undefined;
}) {
  const { kind, message, anchor } = opened;
  const close = () => setOpened(undefined);
  switch (kind) {
    case "reactions":
      return (
        <ReactionMenu
          anchor={anchor}
          onClose={close}
          onReact={(reaction) => react(message, reaction, false)}
        />
      );
    case "menu":
      return (
        <MessageMenu
          {...{ seat, message, anchor }}
          onClose={() => setOpened((now) => (now?.kind === "menu" ? undefined : now))}
          onQuote={() => setReference({ kind: "quote", message })}
          onThread={onThread === undefined ? undefined : () => onThread(message)}
          onEdit={() => setReference({ kind: "edit", message })}
          onFlag={() => setOpened({ ...opened, kind: "flag" })}
        />
      );
    default:
      return <FlagDialog seat={seat} message={message} onClose={close} />;
  }
}

function isOutside(error: unknown): boolean {
  return error instanceof AskError && error.code === "ERR_GROUP_NOT_JOINED";
}
