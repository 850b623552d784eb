import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Button } from "../../parts/button.tsx";
import { useResource } from "../../parts/use-resource.ts";
import { Avatar } from "./avatar.tsx";
import { startCall } from "./call-bar.tsx";
import { chatPath } from "./chat-api.ts";
import type { Answer, Group, Message, Peer, Seat, User } from "./chat-types.ts";
import { DateJump } from "./date-jump.tsx";
import { GroupDialog } from "./group-dialog.tsx";
import { sayMessage, senderName } from "./message-words.ts";
import { Talk } from "./talk.tsx";

const receiptsKey = "chat-receipts";

interface ConversationPaneProps {
  seat: Seat;
  peer: Peer;
  conversationId: string;
  thread: string | undefined;
  target: string | undefined;
  isOffered: boolean;
  onThread: (parentId: string | undefined) => void;
  onBack: () => void;
  onMessage: (id: string | undefined) => void;
}

export function ConversationPane({
  seat,
  peer,
  conversationId,
  thread: openThread,
  target,
  isOffered,
  onThread,
  onBack,
  onMessage,
}: ConversationPaneProps) {
  const [sendsReceipts, setSendsReceipts] = useState(() => localStorage.getItem(receiptsKey) !== "off");
  useEffect(() => localStorage.setItem(receiptsKey, sendsReceipts ? "on" : "off"), [sendsReceipts]);
  const path = chatPath(seat.appId, [peer.type === "user" ? "users" : "groups", peer.id]);
  const { value } = useResource<Answer<KnownPeer>>(path, ["chat"], { onBehalfOf: seat.uid });
  const name = value?.data.name ?? peer.id;
  // A reply is shown only in its thread.
  const aimed = useResource<Answer<Message>>(
    target === undefined ? undefined : chatPath(seat.appId, ["messages", target]),
    [],
    { onBehalfOf: seat.uid },
  );
  const aim = aimed.value?.data.parentId;
  const thread = openThread ?? aim;
  const shared = { seat, peer, conversationId, sendsReceipts: sendsReceipts && !isOffered };
  return (
    <div class={`split chat-open ${thread === undefined ? "" : "has-thread"}`}>
      <div class="column chat-main">
        <PaneHead {...{ seat, peer, name, onBack, sendsReceipts, setSendsReceipts }} known={value?.data}>
          <DateJump {...{ seat, conversationId, onMessage }} />
        </PaneHead>
        {aimed.error !== undefined && (
          <p class="trouble" role="alert">
            Message {target}: {aimed.error}
          </p>
        )}
        <Talk {...shared} target={aim ?? target} label={name} onThread={({ id }) => onThread(id)} />
      </div>
      {thread !== undefined && (
        <aside class="column chat-thread" aria-label={`Thread of message ${thread}`}>
          <header class="bar chat-head">
            <h3 class="clip">
              Thread <span class="soft small chat-id">{`of message ${thread}`}</span>
            </h3>
            <span class="buttons">
              <Button kind="quiet" label="Close the thread" act={() => onThread(undefined)}>
                ×
              </Button>
            </span>
          </header>
          <Parent seat={seat} id={thread} />
          <Talk
            key={thread}
            {...shared}
            parentId={thread}
            target={thread === aim ? target : undefined}
            label={`Thread of message ${thread}`}
            onThread={undefined}
          />
        </aside>
      )}
    </div>
  );
}

type KnownPeer = Partial<User & Group>;

interface PaneHeadProps {
  seat: Seat;
  peer: Peer;
  name: string;
  known: KnownPeer | undefined;
  onBack: () => void;
  sendsReceipts: boolean;
  setSendsReceipts: (sends: boolean) => void;
  children: ComponentChildren;
}

function PaneHead({
  seat,
  peer,
  name,
  known,
  onBack,
  sendsReceipts,
  setSendsReceipts,
  children,
}: PaneHeadProps) {
  const [isGroupOpen, setGroupOpen] = useState(false);
  const call = (type: "audio" | "video") =>
    startCall(seat, { receiver: peer.id, receiverType: peer.type, type });
  return (
    <>
      <header class="bar chat-head">
        <span class="chat-back">
          <Button kind="quiet" label="Back to the conversations" act={onBack}>
            ‹
          </Button>
        </span>
        <Avatar id={peer.id} name={name} isOnline={known?.status === "available"} />
        <h3 class="clip">
          {name}
          <span class="soft small chat-id">{sayPeer(peer, known)}</span>
        </h3>
        <span class="buttons">
          {known?.hasJoined === true && (
            <Button kind="quiet" act={() => setGroupOpen(true)}>
              Members
            </Button>
          )}
          {children}
          <Button kind="quiet" label={`Voice call to ${name}`} act={() => call("audio")}>
            <CallIcon />
          </Button>
          <Button kind="quiet" label={`Video call to ${name}`} act={() => call("video")}>
            <VideoIcon />
          </Button>
          <Button
            kind="quiet"
            label="Mark visible messages as read"
            act={() => setSendsReceipts(!sendsReceipts)}
            isPressed={sendsReceipts}
          >
            ✓✓
          </Button>
        </span>
      </header>
      {isGroupOpen && (
        <GroupDialog seat={seat} guid={peer.id} name={name} onClose={() => setGroupOpen(false)} />
      )}
    </>
  );
}

function Parent({ seat, id }: { seat: Seat; id: string }) {
  const path = chatPath(seat.appId, ["messages", id]);
  const { value, error } = useResource<Answer<Message>>(path, ["chat"], { onBehalfOf: seat.uid });
  if (error !== undefined) return <p class="trouble">{error}</p>;
  if (value === undefined) return null;
  return (
    <blockquote class="chat-quote chat-parent">
      <strong>{senderName(value.data)}</strong> {sayMessage(value.data).slice(0, 500)}
    </blockquote>
  );
}

function sayPeer(peer: Peer, known: KnownPeer | undefined): string {
  if (peer.type === "user") return known?.status === "available" ? `${peer.id} · online` : peer.id;
  const members = known?.membersCount === undefined ? "" : ` · ${known.membersCount} members`;
  return `${known?.type ?? ""} group${members}`.trim();
}

function CallIcon() {
  return (
    <svg viewBox="0 0 20 20" width="16" height="16" aria-hidden="true">
      <path
        d="M5 3h2.5l1.2 3.4-1.6 1.3a9 9 0 0 0 5.2 5.2l1.3-1.6L17 12.5V15a2 2 0 0 1-2.2 2A12.5 12.5 0 0 1 3 5.2 2 2 0 0 1 5 3Z"
        fill="none"
        stroke="currentColor"
        stroke-width="1.5"
      />
    </svg>
  );
}

function VideoIcon() {
  return (
    <svg viewBox="0 0 20 20" width="16" height="16" aria-hidden="true">
      <path
        d="M2.5 5.5h9.5v9H2.5zM12 9l5.5-3v8L12 11z"
        fill="none"
        stroke="currentColor"
        stroke-width="1.5"
        stroke-linejoin="round"
      />
    </svg>
  );
}
