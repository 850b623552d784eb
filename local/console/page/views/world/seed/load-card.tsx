import type { LoadState } from "../../../../api/world-seed.ts";
import { ask } from "../../../parts/ask.ts";
import { Button } from "../../../parts/button.tsx";
import { Form } from "../../../parts/form.tsx";
import type { FormField } from "../../../parts/form-values.ts";
import { spanOf } from "../../../parts/time.tsx";
import { Card } from "../part-head.tsx";

const fields: readonly FormField[] = [
  {
    name: "users",
    label: "Users",
    kind: "number",
    isRequired: true,
    hint: "1 to 10,000: load-0001, load-0002, …",
  },
  {
    name: "messages",
    label: "Messages",
    kind: "number",
    isRequired: true,
    hint: "0 to 1,000,000, over the last thirty days.",
  },
];

export function LoadCard({ appId, load, reload }: { appId: string; load: LoadState; reload: () => void }) {
  const path = `/api/world/seed/${appId}/load`;
  const { isRunning, made, wanted, tookMs, error } = load;
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
          <Form
            label="Load"
            fields={fields}
            entity={{ users: 1_000, messages: 100_000 }}
            submitLabel="Create"
            kind="plain"
            submit={async (body) => {
              await ask(path, { method: "POST", body });
              reload();
            }}
          />
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
