import { useState } from "preact/hooks";
import type { ItemsAnswer, ShownItem } from "../../../api/world-state.ts";
import { Button } from "../../parts/button.tsx";
import { ConfirmButton, Dialog } from "../../parts/dialog.tsx";
import { FilterBar, FilterPills, FilterPager, useFilters } from "../../parts/filters.tsx";
import { JsonEditor } from "../../parts/json/json-editor.tsx";
import { JsonView } from "../../parts/json/json-view.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { Badge, Empty } from "../../parts/texts.tsx";
import { Time } from "../../parts/time.tsx";
import { Part, type PartResource, usePart } from "./part.tsx";

const perPage = 50;

const empty: Readonly<Record<string, string>> = {
  StateTable: "Triggers that use `state` store it here.",
  EffectsTable: "Write a message that a trigger answers, and its effects appear here.",
  LanesTable: "Parked lanes, whose event cannot be handled yet, appear here.",
  FlowsTable: "Flows that wait for an event appear here.",
};

export function StatePart() {
  const filters = useFilters("world");
  const query = filters.query(["table", "search", "page"]);
  const part = usePart<ItemsAnswer>(`/api/world/state?${query}`, "queues", "journeys");
  const { table, tables, total } = part.value ?? { table: "", tables: [], total: 0 };
  const [opened, setOpened] = useState<ShownItem>();
  return (
    <Part
      title="State"
      says="The functions' tables: the state of triggers, finished effects, parked lanes, and what flows wait for."
      error={part.error}
    >
      <FilterBar
        label="State"
        filters={filters}
        search={["search", "Search", "Search items"]}
        selects={[]}
      >
        <FilterPills
          filters={filters}
          name="table"
          label="Table"
          initial="StateTable"
          choices={tables.map(({ id, title, count }) => [id, title, count])}
        />
      </FilterBar>
      <Table
        label="Items"
        rows={part.value?.items}
        keyOf={({ key }) => key}
        columns={[...columns, actsOf(part, table, setOpened)]}
        empty={<Empty title={filters.get("search") ? "No matching items" : "No items"}>{empty[table]}</Empty>}
      />
      <FilterPager filters={filters} perPage={perPage} total={total} />
      {opened && (
        <ItemDialog item={opened} {...{ part, table }} onClose={() => setOpened(undefined)} />
      )}
    </Part>
  );
}

const columns: readonly Column<ShownItem>[] = [
  {
    title: "What",
    cell: (item) => (
      <>
        <bdi>{item.title}</bdi>
        <br />
        <code class="soft">{item.about}</code>
      </>
    ),
  },
  {
    title: "Status",
    cell: ({ status, tone, value = "" }) => (
      <>
        <Badge tone={tone}>{status}</Badge>
        <br />
        <code>{value.length > 60 ? `${value.slice(0, 60)}…` : value}</code>
      </>
    ),
  },
  { title: "Since", class: "is-spare", cell: ({ atMs }) => atMs && <Time ms={atMs} format="moment" /> },
];

function actsOf(
  { change }: PartResource<ItemsAnswer>,
  table: string,
  onOpen: (item: ShownItem) => void,
): Column<ShownItem> {
  const says =
    table === "EffectsTable"
      ? "The functions then no longer know that this was done. If its event comes again, they repeat it."
      : "The functions continue as if it had never been written.";
  return {
    title: "Acts",
    cell: (item) => (
      <span class="buttons">
        <Button act={() => onOpen(item)} label={`Open ${item.title}`}>
          Open
        </Button>
        <ConfirmButton
          label="Remove"
          title={`Remove ${item.title}?`}
          says={says}
          done={`Removed ${item.title}.`}
          act={() => change("DELETE", "", { table, key: item.key })}
        />
      </span>
    ),
  };
}

interface ItemProps {
  readonly item: ShownItem;
  readonly table: string;
  readonly part: PartResource<ItemsAnswer>;
  readonly onClose: () => void;
}

function ItemDialog({ item, table, part, onClose }: ItemProps) {
  const [value, setValue] = useState(item.value ?? "");
  const save = async () => {
    await part.change("PUT", "", { table, key: item.key, value }, `${item.title} has a new value.`);
    onClose();
  };
  return (
    <Dialog title={item.title} onClose={onClose}>
      <p class="soft">
        {item.about}
        {item.expiresAtMs !== undefined && (
          <>
            {", deleted after "}
            <Time ms={item.expiresAtMs} format="moment" />
          </>
        )}
      </p>
      {table === "StateTable" && item.value !== undefined && (
        <>
          <JsonEditor label="Value, as JSON" text={value} original={item.value} onText={setValue} />
          <div class="buttons">
            <Button kind="main" act={save} isDisabled={value === item.value}>
              Save
            </Button>
          </div>
        </>
      )}
      <JsonView label="Item" value={item.facts} />
    </Dialog>
  );
}
