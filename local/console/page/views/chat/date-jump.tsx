import { Button } from "../../parts/button.tsx";
import { DialogButton, Form } from "../../parts/dialog.tsx";
import { TextField } from "../../parts/field.tsx";
import { Icon } from "../../parts/texts.tsx";
import { sayTime } from "../../parts/time.tsx";
import { notifyDone } from "../../parts/toasts.tsx";
import { fetchMessages } from "./chat-api.ts";
import type { Seat } from "./chat-types.ts";
import { peerOf } from "./conversation-id.ts";

interface DateJumpProps {
  readonly seat: Seat;
  readonly conversationId: string;
  readonly onMessage: (id: string | undefined) => void;
}

/** Goes to a conversation's first message of a day, or of all. */
export function DateJump({ seat, conversationId, onMessage }: DateJumpProps) {
  return (
    <DialogButton
      kind="quiet"
      label={<Icon path="M3 5h14v12H3zM3 9h14M7 2.5V6M13 2.5V6" />}
      says="Go to a date"
      title="Go to a date"
    >
      {(close) => {
        const goTo = async (ms: number) => {
          const id = await findFirstSince(seat, conversationId, ms);
          close();
          onMessage(id);
        };
        return (
          <Form
            label="Go"
            act={(get) => goTo(new Date(`${get("date")}T00:00`).getTime())}
            more={<Button act={() => goTo(0)}>The beginning</Button>}
          >
            <TextField type="date" label="Date" name="date" isRequired />
          </Form>
        );
      }}
    </DialogButton>
  );
}

/**
 * Returns the id of a conversation's first message since then. Without one, notifies the user and returns
 * undefined.
 * @param sinceMs milliseconds since 1970
 * @throws AskError
 */
export async function findFirstSince(
  seat: Seat,
  conversationId: string,
  sinceMs: number,
): Promise<string | undefined> {
  const peer = peerOf(seat.uid, conversationId);
  if (peer === undefined) return undefined;
  const span = { affix: "append", limit: 1, fromTimestamp: Math.floor(sinceMs / 1_000) } as const;
  const [first] = await fetchMessages(seat, { peer, conversationId }, span);
  if (first === undefined) notifyDone(`No message since ${sayTime(sinceMs, "day")}.`);
  return first?.id;
}
