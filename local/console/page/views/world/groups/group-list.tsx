import { Badge } from "../../../parts/badge.tsx";
import type { Column } from "../../../parts/data-table.tsx";
import { EntityList } from "../entity-list.tsx";
import { toWorld } from "../to-world.ts";
import type { WireGroup } from "../wire.ts";
import { newGroupFields } from "./group-fields.ts";

const columns: readonly Column<WireGroup>[] = [
  {
    title: "Group",
    cell: ({ guid, name }) => (
      <a class="world-name" href={toWorld(["groups", guid])}>
        <bdi>{name}</bdi>
        <code>{guid}</code>
      </a>
    ),
  },
  { title: "Type", cell: ({ type }) => <Badge tone={type === "public" ? "good" : "waiting"}>{type}</Badge> },
  { title: "Owner", cell: ({ owner }) => <code>{owner}</code>, isMinor: true },
  {
    title: "Tags",
    cell: ({ tags = [] }) => tags.map((tag) => <Badge key={tag}>{tag}</Badge>),
    isMinor: true,
  },
  { title: "Members", cell: ({ membersCount }) => membersCount.toLocaleString(), isNumber: true },
];

const filters = [
  { name: "type", label: "Type", options: [["", "all types"], "public", "private", "password"] },
  { name: "tags", label: "Tags" },
  {
    name: "sort",
    label: "Sorted by",
    options: [
      ["", "GUID"],
      ["name", "name"],
      ["createdAt", "age"],
    ],
  },
] as const;

export function GroupList({ appId }: { appId: string }) {
  return (
    <EntityList<WireGroup>
      {...{ appId, columns, filters }}
      kind="groups"
      title="Groups"
      says="Conversations of several users."
      word="group"
      idField="guid"
      idOf={({ guid }) => guid}
      searchHint="Name or GUID begins with …"
      asked={(query) => ({
        searchKey: query.get("search") ?? "",
        type: query.get("type") ?? "",
        tags: query.get("tags") ?? "",
        sortBy: query.get("sort") ?? "",
      })}
      newFields={newGroupFields}
    />
  );
}
