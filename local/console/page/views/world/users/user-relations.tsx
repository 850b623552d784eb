import { useState } from "preact/hooks";
import { ask } from "../../../parts/ask.ts";
import { Button } from "../../../parts/button.tsx";
import { Form } from "../../../parts/form.tsx";
import { useResource } from "../../../parts/use-resource.ts";
import { Card, PartTrouble } from "../part-head.tsx";
import { toWorld } from "../to-world.ts";
import { requireAll, type WirePage, type WireUser } from "../wire.ts";

const shown = 25;

const kinds = {
  friends: { title: "Friends", none: "No friends yet.", add: "Add friends", word: "Remove" },
  blockedusers: { title: "Blocked", none: "No blocked users.", add: "Block", word: "Unblock" },
} as const;

export function UserRelations({ path, kind }: { path: string; kind: keyof typeof kinds }) {
  const [page, setPage] = useState(1);
  const own = `${path}/${kind}`;
  const { value, error, reload } = useResource<WirePage<WireUser>>(`${own}?perPage=${shown * page}`, [
    "world",
  ]);
  const { title, none, add, word } = kinds[kind];
  const users = value?.data ?? [];
  const total = value?.meta?.pagination?.total ?? 0;
  const fields = [
    { name: "uids", label: add, kind: "words", isRequired: true, hint: "UIDs, separated by commas." },
  ] as const;

  const put = async ({ uids }: Record<string, unknown>) => {
    const body = kind === "friends" ? { accepted: uids } : { blockedUids: uids };
    const { data } = await ask<{ data: Record<string, unknown> }>(own, { method: "POST", body });
    reload();
    requireAll(kind === "friends" ? { ...toObject(data.accepted) } : data);
  };
  const remove = async (uid: string) => {
    const body = kind === "friends" ? { friends: [uid] } : { blockedUids: [uid] };
    await ask(own, { method: "DELETE", body });
    reload();
  };
  return (
    <Card title={`${title} (${total})`}>
      <PartTrouble error={error} />
      {users.length === 0 ? (
        <p class="soft">{none}</p>
      ) : (
        <ul class="world-rows">
          {users.map(({ uid, name }) => (
            <li key={uid}>
              <a class="world-name" href={toWorld(["users", uid])}>
                <bdi>{name}</bdi>
                <code>{uid}</code>
              </a>
              <Button kind="quiet" label={`${word} ${name}`} act={() => remove(uid)}>
                {word}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {users.length < total && (
        <button type="button" class="quiet" onClick={() => setPage(page + 1)}>
          Show more
        </button>
      )}
      <Form label={add} fields={fields} submit={put} submitLabel={add} kind="plain" />
    </Card>
  );
}

function toObject(value: unknown): object {
  return typeof value === "object" && value !== null ? value : {};
}
