import { Button } from "../../parts/button.tsx";
import type { Outgoing } from "./outgoing.ts";
import { Trouble } from "./trouble.tsx";

export function Pending({
  items,
  onRetry,
  onDrop,
}: {
  items: readonly Outgoing[];
  onRetry: (item: Outgoing) => Promise<void>;
  onDrop: (item: Outgoing) => void;
}) {
  if (items.length === 0) return null;
  return (
    <ul class="chat-pending" aria-label="Being sent">
      {items.map((item) => (
        <li key={item.muid} class="chat-message is-mine">
          <div class="chat-bubble">
            {item.files.map((file) => (
              <p key={file.name}>{file.name}</p>
            ))}
            {item.text !== "" && (
              <p class="chat-text" dir="auto">
                {item.text.slice(0, 500)}
              </p>
            )}
            {item.error === undefined && <p class="row soft chat-foot">{item.note ?? "sending…"}</p>}
            {(item.error !== undefined || item.note !== undefined) && (
              <div>
                <Trouble error={item.error} />
                <div class="buttons">
                  {item.error !== undefined && <Button act={() => onRetry(item)}>Send again</Button>}
                  <Button kind="quiet" act={() => onDrop(item)}>
                    Dismiss
                  </Button>
                </div>
              </div>
            )}
          </div>
        </li>
      ))}
    </ul>
  );
}
