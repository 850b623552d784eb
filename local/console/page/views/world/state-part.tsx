import { useState } from "preact/hooks";
import type { ItemsAnswer, ShownItem } from "../../../api/world-state.ts";
import { send } from "../../parts/ask.ts";
import { Button } from "../../parts/button.tsx";
import { ConfirmButton, Dialog } from "../../parts/dialog.tsx";
import { JsonEditor } from "../../parts/json/json-editor.tsx";
import { JsonView } from "../../parts/json/json-view.tsx";
import { FilterPills, ListView, useList } from "../../parts/list.tsx";
import type { Column } from "../../parts/table.tsx";
import { Badge, Empty } from "../../parts/texts.tsx";
import { Time } from "../../parts/time.tsx";
import { notifyDone } from "../../parts/toasts.tsx";
import { Part } from "./part.tsx";

const path = "/api/world/state";
const topics = ["world", "queues", "journeys"] as const;

export function StatePart() {
  const list = useList<ItemsAnswer>("world", path, topics, ["table", "search"]);
  const { table, tables } = list.value ?? { table: "", tables: [] };
  const [opened, setOpened] = useState<ShownItem>();
  return (
    <Part
      title="State"
      says="The functions' tables: the state of triggers, finished effects, parked lanes, and what flows wait for."
    >
      <ListView
        label="Items"
        list={list}
        columns={[...columns, actsOf(table, setOpened)]}
        search={["search", "Search", "Search items"]}
        keyOf={({ key }) => key}
        empty={<Empty title="No items">Triggers that use `state` store it here.</Empty>}
      >
        <FilterPills
          filters={list.filters}
          name="table"
          label="Table"
          initial="StateTable"
          choices={tables.map(({ id, title, count }) => [id, title, count])}
        />
      </ListView>
      {opened && <ItemDialog item={opened} table={table} onClose={() => setOpened(undefined)} />}
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

function actsOf(table: string, onOpen: (item: ShownItem) => void): Column<ShownItem> {
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
          act={() => send("DELETE", path, { table, key: item.key })}
        />
      </span>
    ),
  };
}

interface ItemProps {
  readonly item: ShownItem;
  readonly table: string;
  readonly onClose: () => void;
}

function ItemDialog({ item, table, onClose }: ItemProps) {
  const [value, setValue] = useState(item.value ?? "");
  const save = async () => {
    await send("PUT", path, { table, key: item.key, value });
    notifyDone(`${item.title} has a new value.`);
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
