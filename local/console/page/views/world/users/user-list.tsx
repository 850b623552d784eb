import { Badge } from "../../../parts/badge.tsx";
import type { Column } from "../../../parts/data-table.tsx";
import { EntityList } from "../entity-list.tsx";
import { toWorld } from "../to-world.ts";
import type { WireUser } from "../wire.ts";
import { newUserFields } from "./user-fields.ts";
import { UserState } from "./user-state.tsx";

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

const filters = [
  {
    name: "shown",
    label: "Shown",
    options: [
      ["", "all users"],
      ["active", "active"],
      ["available", "online now"],
      ["deactivated", "deactivated"],
    ],
  },
  { name: "role", label: "Role" },
  { name: "tags", label: "Tags" },
] as const;

export function UserList({ appId }: { appId: string }) {
  return (
    <EntityList<WireUser>
      {...{ appId, columns, filters }}
      kind="users"
      title="Users"
      says="All users of this app, including bots."
      word="user"
      idField="uid"
      idOf={({ uid }) => uid}
      searchHint="Name or UID begins with …"
      asked={askedOf}
      newFields={newUserFields}
    />
  );
}

function askedOf(query: URLSearchParams): Readonly<Record<string, string>> {
  const shown = query.get("shown") ?? "";
  return {
    onlyDeactivated: shown === "deactivated" ? "true" : "",
    withDeactivated: shown === "" ? "true" : "",
    status: shown === "available" ? "available" : "",
    searchKey: query.get("search") ?? "",
    role: query.get("role") ?? "",
    tags: query.get("tags") ?? "",
  };
}
