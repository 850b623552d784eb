import { useEffect, useState } from "preact/hooks";
import type { QueueFigures, QueueList, QueueMessage, QueueName, QueueRow } from "../../../api/queues.ts";
import { FilterSelect, type Filters, Pager, SearchBox } from "../../parts/filters.tsx";
import { JsonView } from "../../parts/json/json-view.tsx";
import { readable } from "../../parts/json/values.ts";
import { toHash } from "../../parts/route.ts";
import { type Column, Table } from "../../parts/table.tsx";
import { Badge, counted, Empty, Fact, Trouble } from "../../parts/texts.tsx";
import { spanOf, Time, toIn } from "../../parts/time.tsx";
import { useResource } from "../../parts/use-resource.ts";
import { RepairButtons } from "./repair.tsx";

const names = ["text", "app", "trigger", "cause", "skip"];
const pageRows = 100;

interface QueuedMessagesProps {
  readonly queue: QueueFigures;
  readonly filters: Filters;
  readonly chosen: string | undefined;
}

export function QueuedMessages({ queue, filters, chosen }: QueuedMessagesProps) {
  const { name, waiting, inFlight, delayed } = queue;
  const isSetAside = name === "dead-letters" || name === "quarantine";
  const list = useResource<QueueList>(`/api/queues/${name}?${filters.query(names)}`, ["queues"]);
  const { value, error, reload } = list;
  // Reloads after changes without a notice: deleted messages and expired timeouts.
  useEffect(() => reload(), [waiting, inFlight, delayed]);
  const [picked, setPicked] = useState<ReadonlyMap<string, QueueRow>>(new Map());
  const pick = (row: QueueRow) => {
    const next = new Map(picked);
    if (!next.delete(row.id)) next.set(row.id, row);
    setPicked(next);
  };
  const finish = () => {
    setPicked(new Map());
    reload();
  };
  const skip = Number(filters.get("skip") ?? 0);
  const show = (from: number) => () => filters.set({ skip: from > 0 ? String(from) : undefined }, true);
  return (
    <>
      <search class="bar" aria-label="Messages">
        <MessageFilters filters={filters} list={value} isSetAside={isSetAside} />
        {isSetAside && value !== undefined && value.counts.selected > 0 && (
          <RepairButtons queue={name} {...{ picked, filters }} counts={value.counts} onDone={finish} />
        )}
        {value !== undefined && (
          <span class="soft is-end">
            {value.counts.selected} of {value.all}
          </span>
        )}
      </search>
      <Trouble error={error} />
      <div class="scroll">
        {value?.messages.length === 0 ? (
          <NoMessages name={name} isFiltered={value.all > 0} />
        ) : (
          <Table
            label={queue.title}
            columns={isSetAside ? setAsideColumns(picked, pick) : waitingColumns(value?.nowMs ?? 0)}
            rows={value?.messages ?? []}
            keyOf={({ id }) => id}
            hrefOf={({ id }) => filters.hash(name, id)}
            chosen={chosen}
          />
        )}
        {value !== undefined && (skip > 0 || value.hasMore) && (
          <Pager
            from={skip}
            shown={value.messages.length}
            total={value.counts.selected}
            previous={skip > 0 ? show(skip - pageRows) : undefined}
            next={value.hasMore ? show(skip + pageRows) : undefined}
          />
        )}
      </div>
    </>
  );
}

const event: Column<QueueRow> = { title: "Event", isLink: true, cell: ({ trigger }) => trigger || "unknown" };
const app: Column<QueueRow> = { title: "App", class: "is-spare", cell: ({ appId }) => appId };
const time = ({ sentAtMs }: QueueRow) => <Time ms={sentAtMs} />;

function setAsideColumns(
  picked: ReadonlyMap<string, QueueRow>,
  pick: (row: QueueRow) => void,
): readonly Column<QueueRow>[] {
  return [
    {
      title: "Selected",
      cell: (row) => (
        <input
          type="checkbox"
          class="pick"
          aria-label={`Select ${row.trigger || "the delivery"} ${row.id}`}
          checked={picked.has(row.id)}
          onChange={() => pick(row)}
        />
      ),
    },
    { title: "Added", cell: time },
    event,
    app,
    {
      title: "Cause",
      class: "is-wide",
      cell: ({ reason, cause }) => (
        <span class="clamp">
          <Badge tone="bad">{reason ?? "unknown"}</Badge> {cause}
        </span>
      ),
    },
    { title: "Attempts", class: "number is-spare", cell: ({ tries }) => tries },
  ];
}

function waitingColumns(nowMs: number): readonly Column<QueueRow>[] {
  return [
    { title: "Sent", cell: time },
    event,
    app,
    { title: "State", class: "is-wide", cell: (row) => stateOf(row, nowMs) },
    { title: "Received", class: "number is-spare", cell: ({ received }) => received },
  ];
}

function stateOf({ state, visibleAtMs }: Pick<QueueRow, "state" | "visibleAtMs">, nowMs: number): string {
  if (state === "visible" || visibleAtMs === undefined) return "waiting";
  const until = visibleAtMs <= nowMs ? "" : `, ${spanOf(visibleAtMs - nowMs)} at most`;
  return state === "inFlight" ? `in flight${until}` : `delayed, ${toIn(visibleAtMs, nowMs)}`;
}

interface MessageFiltersProps {
  readonly filters: Filters;
  readonly list: QueueList | undefined;
  readonly isSetAside: boolean;
}

function MessageFilters({ filters, list, isSetAside }: MessageFiltersProps) {
  const optionsOf = (counts: Readonly<Record<string, number>> = {}) =>
    Object.entries(counts)
      .filter(([name]) => name !== "")
      .toSorted(([, one], [, other]) => other - one)
      .map(([name, count]) => [name, `${name} (${count})`] as const);
  const causes = list?.groups.map(({ name, cause, count }) => [name, `${count} × ${cause}`] as const);
  const { byApp, byTrigger } = list?.counts ?? {};
  return (
    <>
      {isSetAside && (
        <SearchBox
          filters={filters}
          name="text"
          label="Search reason and cause"
          placeholder="Part of a reason or a cause …"
        />
      )}
      <FilterSelect filters={filters} name="app" label="App" all="Any app" options={optionsOf(byApp)} />
      <FilterSelect
        filters={filters}
        name="trigger"
        label="Event"
        all="Any event"
        options={optionsOf(byTrigger)}
      />
      {isSetAside && (
        <FilterSelect filters={filters} name="cause" label="Cause" all="Any cause" options={causes} />
      )}
    </>
  );
}

function NoMessages({ name, isFiltered }: { name: QueueName; isFiltered: boolean }) {
  if (isFiltered) return <Empty title="No matching message">Remove a filter.</Empty>;
  switch (name) {
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

export function MessagePane({ queue, id }: { queue: QueueName; id: string }) {
  const path = `/api/queues/${queue}/${encodeURIComponent(id)}`;
  const { value: message, error } = useResource<QueueMessage>(path, ["queues"]);
  if (error !== undefined) return <Empty title="The message cannot be shown">{error}</Empty>;
  if (message === undefined) return null;
  const { trigger, deliveryKey, reason, cause, stack, content } = message;
  return (
    <>
      <h2>{trigger || "Unparsable delivery"}</h2>
      {reason !== undefined && (
        <p>
          <Badge tone="bad">{reason}</Badge> {cause}
        </p>
      )}
      {stack !== undefined && <pre class="trace">{stack}</pre>}
      <MessageFacts {...message} />
      {deliveryKey !== undefined && (
        <p class="buttons">
          <a href={toHash("journeys", [], { key: deliveryKey })}>Its journey</a>
          <a href={toHash("log", [], { key: deliveryKey, level: "debug" })}>Its log lines</a>
          <a href={toHash("calls", [], { key: deliveryKey })}>Its calls</a>
        </p>
      )}
      <h3>Content</h3>
      <JsonView value={readable(content)} label="Content" />
    </>
  );
}

function MessageFacts(message: QueueMessage) {
  const { id, appId, deliveryKey, reason, tries, finished, sentAtMs, receivedAtMs, received, lane } = message;
  const isWaiting = reason === undefined;
  return (
    <dl class="facts">
      <Fact name="State">{isWaiting && stateOf(message, 0)}</Fact>
      <Fact name={isWaiting ? "Sent" : "Added"}>
        <Time ms={sentAtMs} format="moment" />
      </Fact>
      <Fact name="Delivered">{receivedAtMs && <Time ms={receivedAtMs} format="moment" />}</Fact>
      <Fact name="App">{appId}</Fact>
      <Fact name="Event">{deliveryKey && <code>{deliveryKey}</code>}</Fact>
      <Fact name="Received">{counted(received, "time")}</Fact>
      <Fact name="Attempts">{tries}</Fact>
      <Fact name="Finished">{finished.join(", ")}</Fact>
      <Fact name="Lane">{isWaiting && lane !== "" && <code>{lane}</code>}</Fact>
      <Fact name="Id">
        <code>{id}</code>
      </Fact>
    </dl>
  );
}
