import { useState } from "preact/hooks";
import { ask } from "../../../parts/ask.ts";
import { Badge } from "../../../parts/badge.tsx";
import { type Column, DataTable, Pager, SearchField } from "../../../parts/data-table.tsx";
import { Dialog } from "../../../parts/dialog.tsx";
import { Empty } from "../../../parts/empty.tsx";
import { SelectField, TextField } from "../../../parts/field.tsx";
import { Form } from "../../../parts/form.tsx";
import { go, useRoute } from "../../../parts/route.ts";
import { tellDone } from "../../../parts/toasts.tsx";
import { useResource } from "../../../parts/use-resource.ts";
import { PartHead, PartTrouble } from "../part-head.tsx";
import { toWorld } from "../to-world.ts";
import type { WirePage, WireUser } from "../wire.ts";
import { newUserFields } from "./user-fields.ts";
import { UserState } from "./user-state.tsx";

const perPage = 50;

const columns: readonly Column<WireUser>[] = [
  {
    title: "User",
    cell: ({ uid, name }) => (
      <a class="world-name" href={toWorld(["users", uid])}>
        <bdi>{name}</bdi>
        <code>{uid}</code>
      </a>
    ),
  },
  { title: "State", cell: (user) => <UserState user={user} /> },
  { title: "Role", cell: ({ role }) => role, isMinor: true },
  {
    title: "Tags",
    cell: ({ tags = [] }) => tags.map((tag) => <Badge key={tag}>{tag}</Badge>),
    isMinor: true,
  },
];

export function UserList({ appId }: { appId: string }) {
  const { query } = useRoute();
  const [isMaking, setMaking] = useState(false);
  const filters = Object.fromEntries(query);
  const page = Number(query.get("page") ?? 1);
  const { value, error } = useResource<WirePage<WireUser>>(listPath(appId, query), ["world"]);
  const users = value?.data ?? [];
  const filter = (name: string, text: string) =>
    go(toWorld(["users"], { ...filters, page: undefined, [name]: text }), { replace: true });
  return (
    <>
      <PartHead title="Users" says="All users of this app, including bots.">
        <button type="button" class="main" onClick={() => setMaking(true)}>
          New user
        </button>
      </PartHead>
      <search class="world-filters">
        <SearchField
          label="Search"
          placeholder="Name or UID begins with …"
          value={query.get("search") ?? ""}
          onSearch={(text) => filter("search", text)}
        />
        <SelectField
          label="Shown"
          value={query.get("shown") ?? ""}
          onInput={(text) => filter("shown", text)}
          options={[
            ["", "all users"],
            ["active", "active"],
            ["available", "online now"],
            ["deactivated", "deactivated"],
          ]}
        />
        <TextField label="Role" value={query.get("role") ?? ""} onInput={(text) => filter("role", text)} />
        <TextField label="Tags" value={query.get("tags") ?? ""} onInput={(text) => filter("tags", text)} />
      </search>
      <PartTrouble error={error} />
      {value !== undefined && users.length === 0 ? (
        <Empty title="No matching user">Change the filters, or create a user.</Empty>
      ) : (
        <DataTable label="Users" columns={columns} rows={users} keyOf={({ uid }) => uid} />
      )}
      <Pager
        page={page}
        perPage={perPage}
        total={value?.meta?.pagination?.total ?? 0}
        onPage={(next) => go(toWorld(["users"], { ...filters, page: String(next) }))}
      />
      {isMaking && (
        <Dialog title="New user" onClose={() => setMaking(false)}>
          <Form
            label="New user"
            fields={newUserFields}
            submitLabel="Create user"
            onCancel={() => setMaking(false)}
            submit={async (body) => {
              await ask(`/api/chat/${appId}/users`, { method: "POST", body });
              setMaking(false);
              tellDone(`Created ${body.uid}.`);
            }}
          />
        </Dialog>
      )}
    </>
  );
}

function listPath(appId: string, query: URLSearchParams): string {
  const shown = query.get("shown") ?? "";
  const asked = new URLSearchParams({
    perPage: String(perPage),
    page: query.get("page") ?? "1",
    withTags: "true",
    ...(shown === "deactivated" ? { onlyDeactivated: "true" } : {}),
    ...(shown === "" ? { withDeactivated: "true" } : {}),
    ...(shown === "available" ? { status: "available" } : {}),
  });
  for (const [own, theirs] of [
    ["search", "searchKey"],
    ["role", "role"],
    ["tags", "tags"],
  ] as const) {
    const text = query.get(own);
    if (text) asked.set(theirs, text);
  }
  return `/api/chat/${appId}/users?${asked}`;
}
