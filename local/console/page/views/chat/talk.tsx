import { useMemo, useRef, useState } from "preact/hooks";
import { AskError, send } from "../../parts/ask.ts";
import { Button, CopyButton, notifyDone, notifyFailed } from "../../parts/button.tsx";
import { Dialog, Form, Menu } from "../../parts/dialog.tsx";
import { SelectField, TextArea } from "../../parts/field.tsx";
import { write } from "../../parts/json/field-types.ts";
import { toHash } from "../../parts/route.ts";
import { Trouble } from "../../parts/texts.tsx";
import { chatPath, clientPath, type Message, type Seat, useChat, type Where } from "./chat-api.ts";
import { Composer, type Reference } from "./composer.tsx";
import { JoinGroup } from "./group.tsx";
import { MessageList, useFeed } from "./message-list.tsx";
import type { RowActs } from "./message-row.tsx";
import { isLine } from "./message-words.ts";
import { Pending, useOutgoing } from "./outgoing.tsx";

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

export function Talk({ seat, target, label, sendsReceipts, onThread, ...where }: TalkProps) {
  const { appId, uid } = seat;
  const { conversationId, parentId } = where;
  const shown = useFeed(seat, where, target);
  const { feed, state } = shown;
  const outgoing = useOutgoing(seat, where, state.window.messages, feed);
  const [opened, setOpened] = useState<Opened>();
  const [reference, setReference] = useState<Reference>();
  const react = async ({ id }: Message, reaction: string, isMine: boolean) => {
    const path = chatPath(appId, ["messages", id, "reactions", reaction]);
    await send(isMine ? "DELETE" : "POST", path, undefined, uid);
    await feed.onNews();
  };
  const acts = useRowActs({ feed, react, onThread, onOpen: setOpened });
  const markRead = useReading(seat, state.window.messages);
  if (state.error instanceof AskError && state.error.code === "ERR_GROUP_NOT_JOINED") {
    return (
      <section class="column" aria-label={label}>
        <JoinGroup seat={seat} guid={where.peer.id} onJoined={() => void feed.open()} />
      </section>
    );
  }
  return (
    <section class="column" aria-label={label}>
      <Trouble error={state.error}>
        <Button act={() => feed.open()}>Try again</Button>
      </Trouble>
      <MessageList
        label={`Messages: ${label}`}
        seat={seat}
        shown={shown}
        acts={acts}
        target={target}
        onEnd={sendsReceipts ? markRead : undefined}
      >
        <Pending {...outgoing} />
      </MessageList>
      <Composer
        key={`${uid} ${conversationId} ${parentId}`}
        seat={seat}
        draftKey={`chat ${appId} ${uid} ${conversationId} ${parentId ?? ""}`}
        label={parentId === undefined ? `Write as ${uid}` : `Reply as ${uid}`}
        isReply={parentId !== undefined}
        reference={reference}
        onReferenceDone={() => setReference(undefined)}
        onSend={outgoing.send}
      />
      {opened && (
        <Menus
          seat={seat}
          opened={opened}
          react={react}
          onThread={onThread}
          onOpen={setOpened}
          onReference={setReference}
        />
      )}
    </section>
  );
}

type RowActsProps = Pick<MenusProps, "react" | "onThread" | "onOpen"> & { readonly feed: object };

/** The same object until the feed changes. */
function useRowActs({ feed, react, onThread, onOpen }: RowActsProps): RowActs {
  const threadOf = useRef(onThread);
  threadOf.current = onThread;
  const hasThreads = onThread !== undefined;
  return useMemo<RowActs>(
    () => ({
      react: (...reaction) => void react(...reaction).catch(notifyFailed),
      openReactions: (message, anchor) => onOpen({ kind: "reactions", message, anchor }),
      openMenu: (message, anchor) => onOpen({ kind: "menu", message, anchor }),
      openThread: hasThreads ? (message) => threadOf.current?.(message) : undefined,
    }),
    [feed, hasThreads],
  );
}

function useReading({ appId, uid }: Seat, messages: readonly Message[]) {
  const readId = useRef(0);
  return (newest: Message) => {
    const last = messages.findLast(({ sender, deletedAt }) => sender !== uid && !deletedAt);
    if (last === undefined || Number(newest.id) <= readId.current) return;
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

function Menus(props: MenusProps) {
  const { seat, opened, onOpen } = props;
  const close = () => onOpen(undefined);
  if (opened.kind === "flag") return <FlagDialog seat={seat} message={opened.message} onClose={close} />;
  const Chosen = opened.kind === "menu" ? MessageMenu : ReactionMenu;
  return <Chosen {...props} close={close} />;
}

type MenuProps = MenusProps & { readonly close: () => void };

function MessageMenu({ seat, opened, onThread, onOpen, onReference, close }: MenuProps) {
  const { message, anchor } = opened;
  const isMine = message.sender === seat.uid;
  const isText = message.category === "message" && typeof message.data.text === "string";
  const remove = () => send("DELETE", chatPath(seat.appId, ["messages", message.id]), undefined, seat.uid);
  const acts = [
    ["Quote", () => onReference({ kind: "quote", message })],
    ["Reply in thread", onThread && (() => onThread(message))],
    ["Edit", isMine && isText && (() => onReference({ kind: "edit", message }))],
    ["Delete", isMine && remove],
    ["Flag…", !isMine && (() => onOpen({ ...opened, kind: "flag" }))],
  ] as const;
  return (
    <Menu label={`Message ${message.id}`} anchor={anchor} onClose={close}>
      {acts.map(
        ([words, act]) =>
          act &&
          !isLine(message) && (
            <Button
              key={words}
              kind="quiet"
              act={() => {
                close();
                return act();
              }}
            >
              {words}
            </Button>
          ),
      )}
      <a class="entry" href={toHash("journeys", [], { message: message.id })}>
        Journey
      </a>
      <CopyButton text={write(message)}>Copy JSON</CopyButton>
    </Menu>
  );
}

const reactions = ["👍", "❤️", "😂", "🎉", "😮", "😢", "🙏", "👎"];

function ReactionMenu({ opened: { message, anchor }, react, close }: MenuProps) {
  const give = (reaction: string) => {
    close();
    return react(message, reaction, false);
  };
  return (
    <Menu label="Reactions" anchor={anchor} onClose={close}>
      <div class="chat-emojis">
        {reactions.map((reaction) => (
          <Button key={reaction} kind="quiet" label={`React with ${reaction}`} act={() => give(reaction)}>
            {reaction}
          </Button>
        ))}
      </div>
    </Menu>
  );
}

interface FlagProps {
  readonly seat: Seat;
  readonly message: Message;
  readonly onClose: () => void;
}

function FlagDialog({ seat, message: { id }, onClose }: FlagProps) {
  const { appId, uid } = seat;
  const known = useChat<readonly { id: string; name: string }[]>(seat, ["moderation", "reasons"], []);
  const reasons = known.data ?? [];
  return (
    <Dialog title={`Flag message ${id}`} onClose={onClose}>
      <Form
        label="Flag"
        act={async (get) => {
          const body = { reasonId: get("reason"), remark: get("remark") || undefined };
          await send("POST", chatPath(appId, ["messages", id, "flagged"]), body, uid);
          notifyDone(`Message ${id} is flagged.`);
          onClose();
        }}
        isDisabled={reasons.length === 0}
        more={<Button act={onClose}>Cancel</Button>}
      >
        <SelectField
          label="Reason"
          name="reason"
          options={reasons.map((reason) => [reason.id, reason.name])}
          hint={known.error ?? (known.data?.length === 0 ? "The app has no reasons." : undefined)}
        />
        <TextArea label="Remark" name="remark" rows={2} />
      </Form>
    </Dialog>
  );
}
