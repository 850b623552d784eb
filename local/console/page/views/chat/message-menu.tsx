import { send } from "../../parts/ask.ts";
import { Button, CopyButton } from "../../parts/button.tsx";
import { Dialog, Form, Menu } from "../../parts/dialog.tsx";
import { SelectField, TextArea } from "../../parts/field.tsx";
import { write } from "../../parts/json/values.ts";
import { toHash } from "../../parts/route.ts";
import { notifyDone } from "../../parts/toasts.tsx";
import { chatPath, useChat } from "./chat-api.ts";
import type { Message, Seat } from "./chat-types.ts";
import { isLine } from "./message-words.ts";

interface MenuProps {
  readonly seat: Seat;
  readonly message: Message;
  readonly anchor: HTMLElement;
  readonly onClose: () => void;
  readonly onQuote: () => void;
  readonly onThread: (() => void) | undefined;
  readonly onEdit: () => void;
  readonly onFlag: () => void;
}

export function MessageMenu({ seat, message, anchor, onClose, ...on }: MenuProps) {
  const isMine = message.sender === seat.uid;
  const isText = message.category === "message" && typeof message.data.text === "string";
  const remove = () => send("DELETE", chatPath(seat.appId, ["messages", message.id]), undefined, seat.uid);
  const acts = [
    ["Quote", on.onQuote],
    ["Reply in thread", on.onThread],
    ["Edit", isMine && isText && on.onEdit],
    ["Delete", isMine && remove],
    ["Flag…", !isMine && on.onFlag],
  ] as const;
  return (
    <Menu label={`Message ${message.id}`} anchor={anchor} onClose={onClose}>
      {acts.map(
        ([words, act]) =>
          act &&
          !isLine(message) && (
            <Button
              key={words}
              kind="quiet"
              act={() => {
                onClose();
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

interface ReactionMenuProps {
  readonly anchor: HTMLElement;
  readonly onClose: () => void;
  readonly onReact: (reaction: string) => Promise<unknown>;
}

export function ReactionMenu({ anchor, onClose, onReact }: ReactionMenuProps) {
  const give = (reaction: string) => {
    onClose();
    return onReact(reaction);
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
    </Menu>
  );
}

interface FlagProps {
  readonly seat: Seat;
  readonly message: Message;
  readonly onClose: () => void;
}

export function FlagDialog({ seat, message: { id }, onClose }: FlagProps) {
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
