import { useState } from "preact/hooks";
import { ask } from "../../parts/ask.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { TextField } from "../../parts/field.tsx";
import { useResource } from "../../parts/use-resource.ts";
import { Avatar } from "./avatar.tsx";
import { chatPath, clientPath } from "./chat-api.ts";
import type { Answer, Seat, User } from "./chat-types.ts";
import { Trouble } from "./trouble.tsx";

interface Member extends User {
  readonly scope: string;
}

const shownMembers = 100;

export function GroupDialog({
  seat,
  guid,
  name,
  onClose,
}: {
  seat: Seat;
  guid: string;
  name: string;
  onClose: () => void;
}) {
  const path = chatPath(seat.appId, ["groups", guid, "members"], { perPage: shownMembers });
  const { value, error: listError } = useResource<Answer<readonly Member[]>>(path, ["chat"]);
  const [added, setAdded] = useState("");
  const [error, setError] = useState<unknown>();
  const members = value?.data ?? [];
  const attempt = async (act: () => Promise<unknown>) => {
    setError(undefined);
    await act().catch(setError);
  };
  const add = () =>
    attempt(async () => {
      const participants = added.split(/[\s,]+/).filter((uid) => uid !== "");
      const { data } = await ask<Answer<AddResults>>(chatPath(seat.appId, ["groups", guid, "members"]), {
        method: "POST",
        body: { participants },
        onBehalfOf: seat.uid,
      });
      const refused = Object.entries(data.participants ?? {}).find(([, { success }]) => !success);
      if (refused !== undefined) {
        throw new Error(`${refused[0]}: ${refused[1].error?.message ?? "was not added."}`);
      }
      setAdded("");
    });
  return (
    <Dialog title={name} onClose={onClose}>
      {listError !== undefined && (
        <p class="trouble" role="alert">
          {listError}
        </p>
      )}
      <ul class="chat-members" aria-label="Members">
        {members.map((member) => (
          <li key={member.uid}>
            <Avatar id={member.uid} name={member.name} isOnline={member.status === "available"} />
            <span>
              {member.name} <span class="soft">{`${member.uid} · ${member.scope}`}</span>
            </span>
            {member.uid !== seat.uid && (
              <Button
                kind="quiet"
                label={`Remove ${member.name}`}
                act={() =>
                  attempt(() =>
                    ask(chatPath(seat.appId, ["groups", guid, "members", member.uid]), {
                      method: "DELETE",
                      onBehalfOf: seat.uid,
                    }),
                  )
                }
              >
                Remove
              </Button>
            )}
          </li>
        ))}
      </ul>
      {members.length === shownMembers && (
        <p class="soft">{`The first ${shownMembers} members are shown.`}</p>
      )}
      <form
        class="chat-add"
        onSubmit={(event) => {
          event.preventDefault();
          if (added.trim() !== "") void add();
        }}
      >
        <TextField
          label="Add members"
          value={added}
          onInput={setAdded}
          hint="UIDs, separated by spaces or commas."
        />
        <button type="submit">Add</button>
      </form>
      <Trouble error={error} />
      <div class="buttons">
        <Button
          kind="danger"
          act={() =>
            attempt(async () => {
              await ask(clientPath(seat.appId, ["groups", guid, "leave"]), {
                method: "POST",
                body: { uid: seat.uid },
              });
              onClose();
            })
          }
        >
          {`Leave as ${seat.uid}`}
        </Button>
      </div>
    </Dialog>
  );
}

interface AddResults {
  readonly participants?: Readonly<Record<string, { success: boolean; error?: { message?: string } }>>;
}
