import { useState } from "preact/hooks";
import type { LoadState } from "../../../../api/world-seed.ts";
import { ask } from "../../../parts/ask.ts";
import { Button } from "../../../parts/button.tsx";
import { TextField } from "../../../parts/field.tsx";
import { spanOf } from "../../../parts/time.tsx";
import { Card } from "../part-head.tsx";

export function LoadCard({ appId, load, reload }: { appId: string; load: LoadState; reload: () => void }) {
  const path = `/api/world/seed/${appId}/load`;
  const { isRunning, made, wanted, tookMs, error } = load;
  const [users, setUsers] = useState("1000");
  const [messages, setMessages] = useState("100000");
  const create = async () => {
    await ask(path, { method: "POST", body: { users: Number(users), messages: Number(messages) } });
    reload();
  };
  const sum = wanted.users + wanted.messages;
  return (
    <Card
      title="Load"
      says="Creates users, a group for every twenty of them, and messages between them, like an import: no webhook fires."
    >
      {isRunning ? (
        <>
          <progress aria-label="Created so far" max={sum} value={made.users + made.messages} />
          <p>
            {made.users.toLocaleString()} of {wanted.users.toLocaleString()} users,{" "}
            {made.messages.toLocaleString()} of {wanted.messages.toLocaleString()} messages, {spanOf(tookMs)}
          </p>
          <div class="buttons">
            <Button
              act={async () => {
                await ask(path, { method: "DELETE" });
                reload();
              }}
            >
              Stop
            </Button>
          </div>
        </>
      ) : (
        <>
          <div class="fields">
            <TextField
              type="number"
              label="Users"
              hint="1 to 10,000: load-0001, load-0002, …"
              value={users}
              onInput={setUsers}
            />
            <TextField
              type="number"
              label="Messages"
              hint="0 to 1,000,000, over the last thirty days."
              value={messages}
              onInput={setMessages}
            />
            <div class="buttons">
              <Button act={create}>Create</Button>
            </div>
          </div>
          {sum > 0 && (
            <p role="status">
              {made.users.toLocaleString()} users and {made.messages.toLocaleString()} messages created in{" "}
              {spanOf(tookMs)}.{error !== undefined && ` ${error}`}
            </p>
          )}
        </>
      )}
    </Card>
  );
}
