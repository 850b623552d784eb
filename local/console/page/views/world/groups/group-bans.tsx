import { ask } from "../../../parts/ask.ts";
import { Button } from "../../../parts/button.tsx";
import { Form } from "../../../parts/form.tsx";
import type { FormField } from "../../../parts/form-values.ts";
import { useResource } from "../../../parts/use-resource.ts";
import { Card, PartTrouble } from "../part-head.tsx";
import type { WirePage, WireUser } from "../wire.ts";

const fields: readonly FormField[] = [
  { name: "uid", label: "Ban a user", isRequired: true, placeholder: "UID", codes: ["ERR_UID_NOT_FOUND"] },
];

export function GroupBans({ path }: { path: string }) {
  const own = `${path}/bannedusers`;
  const { value, error, reload } = useResource<WirePage<WireUser>>(`${own}?perPage=200`, ["world"]);
  const users = value?.data ?? [];
  const set = async (method: "DELETE" | "POST", uid: string) => {
    await ask(`${own}/${encodeURIComponent(uid)}`, { method });
    reload();
  };
  return (
    <Card title={`Banned (${value?.meta?.pagination?.total ?? users.length})`}>
      <PartTrouble error={error} />
      {users.length === 0 && <p class="soft">No banned users.</p>}
      <ul class="world-rows">
        {users.map(({ uid, name }) => (
          <li key={uid}>
            <span class="world-name">
              <bdi>{name}</bdi>
              <code>{uid}</code>
            </span>
            <Button kind="quiet" label={`Unban ${name}`} act={() => set("DELETE", uid)}>
              Unban
            </Button>
          </li>
        ))}
      </ul>
      <Form
        label="Ban a user"
        fields={fields}
        submit={({ uid }) => set("POST", String(uid))}
        submitLabel="Ban"
        kind="plain"
      />
    </Card>
  );
}
