import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { QueueFigures, QueueList, QueueRow } from "../../../api/queues.ts";
import { Empty } from "../../parts/empty.tsx";
import { FilterSelect, type Filters, SearchBox } from "../../parts/filters.tsx";
import { useRowKeys } from "../../parts/panes.tsx";
import { useResource } from "../../parts/use-resource.ts";
import { MessageTable } from "./message-table.tsx";
import { type RepairAct, RepairDialog } from "./repair-dialog.tsx";

const names = ["text", "app", "trigger", "cause", "skip"];
const pageRows = 100;

interface QueuedMessagesProps {
  queue: QueueFigures;
  filters: Filters;
  chosen: string | undefined;
}

export function QueuedMessages({ queue, filters, chosen }: QueuedMessagesProps) {
  const { name, waiting, inFlight, delayed } = queue;
  const isSetAside = name === "dead-letters" || name === "quarantine";
  const list = useResource<QueueList>(`/api/queues/${name}?${filters.query(names)}`, ["queues"]);
  const { value, error } = list;
  // Reloads after changes without a notice: deleted messages and expired timeouts.
  useEffect(() => list.reload(), [waiting, inFlight, delayed]);
  const [picked, setPicked] = useState<ReadonlyMap<string, QueueRow>>(new Map());
  const [act, setAct] = useState<RepairAct>();
  const box = useRowKeys<HTMLDivElement>();
  const rows = value?.messages ?? [];
  const pick = (row: QueueRow) => {
    const next = new Map(picked);
    if (!next.delete(row.id)) next.set(row.id, row);
    setPicked(next);
  };
  const finish = () => {
    setPicked(new Map());
    list.reload();
  };
  return (
    <>
      <MessageFilters filters={filters} list={value} isSetAside={isSetAside}>
        {isSetAside && value !== undefined && value.counts.selected > 0 && (
          <RepairButtons
            count={picked.size || value.counts.selected}
            isSome={picked.size > 0}
            onChoose={setAct}
          />
        )}
      </MessageFilters>
      {error !== undefined && <p class="trouble">{error}</p>}
      <div class="scroll" ref={box}>
        {value !== undefined && rows.length === 0 ? (
          <NoMessages queue={queue} list={value} />
        ) : (
          <MessageTable
            {...{ queue, filters, chosen, rows, isSetAside, picked, pick, nowMs: value?.nowMs ?? 0 }}
          />
        )}
        {value !== undefined && <Pages filters={filters} list={value} />}
      </div>
      {act !== undefined && value !== undefined && (
        <RepairDialog
          act={act}
          queue={name}
          picked={picked}
          filters={filters}
          counts={value.counts}
          onClose={() => setAct(undefined)}
          onDone={finish}
        />
      )}
    </>
  );
}

interface MessageFiltersProps {
  filters: Filters;
  list: QueueList | undefined;
  isSetAside: boolean;
  children: ComponentChildren;
}

function MessageFilters({ filters, list, isSetAside, children }: MessageFiltersProps) {
  const { byApp = {}, byTrigger = {}, selected = 0 } = list?.counts ?? {};
  const optionsOf = (counts: Readonly<Record<string, number>>) =>
    Object.entries(counts)
      .filter(([name]) => name !== "")
      .toSorted(([, one], [, other]) => other - one)
      .map(([name, count]) => [name, `${name} (${count})`] as const);
  return (
    <search class="bar" aria-label="Messages">
      {isSetAside && (
        <SearchBox
          label="Search reason and cause"
          placeholder="Part of a reason or a cause …"
          value={filters.get("text") ?? ""}
          onSearch={(text) => filters.set({ text, skip: undefined })}
        />
      )}
      <FilterSelect
        label="App"
        all="Any app"
        value={filters.get("app")}
        options={optionsOf(byApp)}
        onChoose={(app) => filters.set({ app, skip: undefined })}
      />
      <FilterSelect
        label="Event"
        all="Any event"
        value={filters.get("trigger")}
        options={optionsOf(byTrigger)}
        onChoose={(trigger) => filters.set({ trigger, skip: undefined })}
      />
      {isSetAside && (
        <FilterSelect
          label="Cause"
          all="Any cause"
          value={filters.get("cause")}
          options={(list?.groups ?? []).map(
            ({ name, cause, count }) => [name, `${count} × ${cause}`] as const,
          )}
          onChoose={(cause) => filters.set({ cause, skip: undefined })}
        />
      )}
      {children}
      {list !== undefined && (
        <span class="soft is-end">
          {selected} of {list.all}
        </span>
      )}
    </search>
  );
}

function RepairButtons({
  count,
  isSome,
  onChoose,
}: {
  count: number;
  isSome: boolean;
  onChoose: (act: RepairAct) => void;
}) {
  const what = `${isSome ? "selected" : "all"} (${count})`;
  return (
    <span class="buttons">
      <button type="button" onClick={() => onChoose("replay")}>
        Replay {what} …
      </button>
      <button type="button" class="danger" onClick={() => onChoose("drop")}>
        Drop {what} …
      </button>
    </span>
  );
}

function Pages({ filters, list }: { filters: Filters; list: QueueList }) {
  const skip = Number(filters.get("skip") ?? 0);
  if (skip === 0 && !list.hasMore) return null;
  const show = (from: number) => filters.set({ skip: from > 0 ? String(from) : undefined }, { keeps: true });
  return (
    <p class="more buttons">
      {skip > 0 && (
        <button type="button" onClick={() => show(skip - pageRows)}>
          Previous
        </button>
      )}
      <span class="soft">
        {skip + 1} to {skip + list.messages.length} of {list.counts.selected}
      </span>
      {list.hasMore && (
        <button type="button" onClick={() => show(skip + pageRows)}>
          Next
        </button>
      )}
    </p>
  );
}

function NoMessages({ queue, list }: { queue: QueueFigures; list: QueueList }) {
  if (list.all > 0) return <Empty title="No matching message">Remove a filter.</Empty>;
  switch (queue.name) {
    case "dead-letters":
      return (
        <Empty title="No dead letters">
          Events that could not be handled are kept here with their cause, and can be replayed.
        </Empty>
      );
    case "quarantine":
      return (
        <Empty title="No quarantined deliveries">
          Deliveries with the right password that cannot be parsed are kept here.
        </Empty>
      );
    default:
      return (
        <Empty title="The queue is empty">
          Events from <a href="#/chat">Chat</a> or <a href="#/try">Try</a> pass through here, mostly too
          quickly to be seen.
        </Empty>
      );
  }
}
