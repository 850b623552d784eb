import { useState } from "preact/hooks";
import { ask } from "../../parts/ask.ts";
import { Button, CopyButton } from "../../parts/button.tsx";
import { notifyFailed } from "../../parts/toasts.tsx";
import { chatPath } from "./chat-api.ts";
import type { Message, Seat } from "./chat-types.ts";
import { Menu } from "./menu.tsx";
import { journeyOf } from "./message-row.tsx";
import { isLine } from "./message-words.ts";

const reactions = ["👍", "❤️", "😂", "🎉", "😮", "😢", "🙏", "👎"];

interface MenuProps {
  seat: Seat;
  message: Message;
  anchor: HTMLElement;
  onClose: () => void;
  onQuote: () => void;
  onThread: (() => void) | undefined;
  onEdit: () => void;
  onFlag: () => void;
}

export function MessageMenu({ seat, message, anchor, onClose, ...on }: MenuProps) {
  const isMine = message.sender === seat.uid;
  const isText = message.category === "message" && typeof message.data.text === "string";
  const then = (act: () => void) => () => {
    onClose();
    act();
  };
  const remove = async () => {
    await ask(chatPath(seat.appId, ["messages", message.id]), { method: "DELETE", onBehalfOf: seat.uid });
    onClose();
  };
  return (
    <Menu label={`Message ${message.id}`} anchor={anchor} onClose={onClose}>
      {!isLine(message) && (
        <>
          <Button kind="quiet" act={then(on.onQuote)}>
            Quote
          </Button>
          {on.onThread !== undefined && (
            <Button kind="quiet" act={then(on.onThread)}>
              Reply in thread
            </Button>
          )}
          {isMine && isText && (
            <Button kind="quiet" act={then(on.onEdit)}>
              Edit
            </Button>
          )}
          {isMine && (
            <Button kind="quiet" act={remove}>
              Delete
            </Button>
          )}
          {!isMine && (
            <Button kind="quiet" act={then(on.onFlag)}>
              Flag…
            </Button>
          )}
        </>
      )}
      <a class="entry" href={journeyOf(message)}>
        Journey
      </a>
      <CopyButton text={JSON.stringify(message, undefined, 2)}>Copy JSON</CopyButton>
    </Menu>
  );
}

export function ReactionMenu({
  anchor,
  onClose,
  onReact,
}: {
  anchor: HTMLElement;
  onClose: () => void;
  onReact: (reaction: string) => Promise<unknown>;
}) {
  const [own, setOwn] = useState("");
  const give = async (reaction: string) => {
    onClose();
    await onReact(reaction).catch(notifyFailed);
  };
  return (
    <Menu label="Reactions" anchor={anchor} onClose={onClose}>
      <div class="chat-emojis">
        {reactions.map((reaction) => (
          <Button key={reaction} kind="quiet" label={`React with ${reaction}`} act={() => give(reaction)}>
            {reaction}
          </Button>
        ))}
      </div>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (own.trim() !== "") void give(own.trim());
        }}
      >
        <input
          type="text"
          aria-label="Another reaction"
          placeholder="Another…"
          value={own}
          onInput={({ currentTarget }) => setOwn(currentTarget.value)}
        />
      </form>
    </Menu>
  );
}
