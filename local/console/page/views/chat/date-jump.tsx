import { useState } from "preact/hooks";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { TextField } from "../../parts/field.tsx";
import type { Seat } from "./chat-types.ts";
import { findFirstSince } from "./first-since.ts";

/** Goes to a conversation's first message of a day, or of all. */
export function DateJump({
  seat,
  conversationId,
  onMessage,
}: {
  readonly seat: Seat;
  readonly conversationId: string;
  readonly onMessage: (id: string | undefined) => void;
}) {
  const [isOpen, setOpen] = useState(false);
  const [date, setDate] = useState("");
  const sinceMs = new Date(`${date}T00:00`).getTime();
  const goTo = async (ms: number) => {
    const id = await findFirstSince(seat, conversationId, ms);
    setOpen(false);
    onMessage(id);
  };
  return (
    <>
      <Button kind="quiet" label="Go to a date" act={() => setOpen(true)}>
        <svg viewBox="0 0 20 20" width="16" height="16" aria-hidden="true">
          <path
            d="M3 5h14v12H3zM3 9h14M7 2.5V6M13 2.5V6"
            fill="none"
            stroke="currentColor"
            stroke-width="1.5"
          />
        </svg>
      </Button>
      {isOpen && (
        <Dialog title="Go to a date" onClose={() => setOpen(false)}>
          <form
            class="fields"
            onSubmit={(event) => {
              event.preventDefault();
              if (!Number.isNaN(sinceMs)) void goTo(sinceMs);
            }}
          >
            <TextField type="date" label="Date" value={date} onInput={setDate} isRequired />
            <div class="buttons">
              <button type="submit" class="main">
                Go
              </button>
              <Button act={() => goTo(0)}>The beginning</Button>
            </div>
          </form>
        </Dialog>
      )}
    </>
  );
}
