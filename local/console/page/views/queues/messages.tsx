import { useEffect, useState } from "preact/hooks";
import type { QueueFigures, QueueList, QueueMessage, QueueName, QueueRow } from "../../../api/queues.ts";
import { readable } from "../../parts/json/field-types.ts";
import { JsonView } from "../../parts/json/json-input.tsx";
import { ListView, useList } from "../../parts/list.tsx";
import { useStackTime } from "../../parts/stack-clock.tsx";
import type { Column } from "../../parts/table.tsx";
import { Badge, counted, Empty, Facts, spanOf, Time, toIn } from "../../parts/texts.tsx";
import { useResource } from "../../parts/use-resource.ts";
import { DeliveryLinks } from "../journeys/journey-links.tsx";
import { RepairButtons } from "./repair.tsx";

interface QueuedMessagesProps {
  readonly queue: QueueFigures;
  readonly chosen: string | undefined;
}

export function QueuedMessages({ queue, chosen }: QueuedMessagesProps) {
  const { name, title, waiting, inFlight, delayed } = queue;
  const isSetAside = name === "dead-letters" || name === "quarantine";
  const names = ["text", "app", "trigger", "cause"];
  const list = useList<QueueList>("queues", `/api/queues/${name}`, ["queues"], names);
  const { value, reload, filters } = list;
  // Deleted messages and expired timeouts cause no notice.
  useEffect(() => reload(), [waiting, inFlight, delayed]);
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set());
  const finish = () => {
    setPicked(new Set());
    reload();
  };
  const { counts, groups } = value ?? {};
  const causes = groups?.map((group) => [group.name, `${group.count} × ${group.cause}`] as const);
  return (
    <ListView
      label={title}
      list={list}
      columns={isSetAside ? setAsideColumns(picked, setPicked) : waitingColumns(value?.nowMs ?? 0)}
      search={["text", "Search reason and cause", "Part of a reason or a cause …"]}
      selects={[
        ["app", "App", "Any app", optionsOf(counts?.byApp)],
        ["trigger", "Event", "Any event", optionsOf(counts?.byTrigger)],
        ...(isSetAside ? [["cause", "Cause", "Any cause", causes] as const] : []),
      ]}
      kept={value?.all}
      empty={nothing[name] ?? quick}
      name="Message"
      base={[name]}
      chosen={chosen}
      detail={chosen && <MessagePane queue={name} id={chosen} />}
    >
      {isSetAside && counts !== undefined && counts.selected > 0 && (
        <RepairButtons queue={name} picked={picked} filters={filters} counts={counts} onDone={finish} />
      )}
    </ListView>
  );
}

const quick = (
  <Empty title="The queue is empty">
    Events from <a href="#/chat">Chat</a> or <a href="#/try">Try</a> pass through here, mostly too quickly to
    be seen.
  </Empty>
);
const nothing: Partial<Record<QueueName, typeof quick>> = {
  "dead-letters": (
    <Empty title="No dead letters">
      Events that could not be handled are kept here with their cause, and can be replayed.
    </Empty>
  ),
  quarantine: (
    <Empty title="No quarantined deliveries">
      Deliveries with the right password that cannot be parsed are kept here.
    </Empty>
  ),
};

function optionsOf(counts: Readonly<Record<string, number>> = {}) {
  return Object.entries(counts)
    .filter(([name]) => name !== "")
    .toSorted(([, one], [, other]) => other - one)
    .map(([name, count]) => [name, `${name} (${count})`] as const);
}

const event: Column<QueueRow> = { title: "Event", isLink: true, cell: ({ trigger }) => trigger || "unknown" };
const app: Column<QueueRow> = { title: "App", class: "is-spare", cell: ({ appId }) => appId };
const time = ({ sentAtMs }: QueueRow) => <Time ms={sentAtMs} />;

function setAsideColumns(
  picked: ReadonlySet<string>,
  onPick: (picked: ReadonlySet<string>) => void,
): readonly Column<QueueRow>[] {
  return [
    {
      title: "Selected",
      cell: ({ id, trigger }) => (
        <input
          type="checkbox"
          class="pick"
          aria-label={`Select ${trigger || "the delivery"} ${id}`}
          checked={picked.has(id)}
          onChange={() => onPick(picked.symmetricDifference(new Set([id])))}
        />
      ),
    },
    { title: "Added", cell: time },
    event,
    app,
    { title: "Trigger", class: "is-spare", cell: ({ failedTriggers }) => failedTriggers.join(", ") },
    {
      title: "Cause",
      class: "is-wide",
      cell: ({ reason, cause }) => (
        <span class="clamp">
          <Badge tone="bad">{reason ?? "unknown"}</Badge> {cause}
        </span>
      ),
    },
    { title: "Counted tries", class: "number is-spare", cell: ({ tries }) => tries },
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

function stateOf({ state, visibleAtMs }: Pick<QueueRow, "state" | "visibleAtMs">, nowMs: number) {
  if (state === "visible" || visibleAtMs === undefined) return "waiting";
  const until = visibleAtMs <= nowMs ? "" : `, ${spanOf(visibleAtMs - nowMs)} at most`;
  return state === "inFlight" ? `in flight${until}` : `delayed, ${toIn(visibleAtMs, nowMs)}`;
}

function MessagePane({ queue, id }: { queue: QueueName; id: string }) {
  const path = `/api/queues/${queue}/${encodeURIComponent(id)}`;
  const { value: message, error } = useResource<QueueMessage>(path, ["queues"]);
  if (error !== undefined) return <Empty title="The message cannot be shown">{error}</Empty>;
  if (message === undefined) return null;
  const { trigger, deliveryKey, reason, cause, stack, content } = message;
  return (
    <>
      <h2>{trigger || "Unparsable delivery"}</h2>
      {reason && (
        <p>
          <Badge tone="bad">{reason}</Badge> {cause}
        </p>
      )}
      {stack && <pre class="trace">{stack}</pre>}
      <MessageFacts {...message} />
      <p class="buttons">
        <DeliveryLinks of={deliveryKey} />
      </p>
      <h3>Content</h3>
      <JsonView value={readable(content)} label="Content" />
    </>
  );
}

function MessageFacts(message: QueueMessage) {
  const { id, appId, deliveryKey, reason, tries, failedTriggers, finished, sentAtMs } = message;
  const { receivedAtMs, received, lane } = message;
  const { nowMs = Date.now() } = useStackTime();
  const isWaiting = reason === undefined;
  return (
    <Facts
      of={{
        State: isWaiting && stateOf(message, nowMs),
        [isWaiting ? "Sent" : "Added"]: <Time ms={sentAtMs} format="moment" />,
        Delivered: receivedAtMs && <Time ms={receivedAtMs} format="moment" />,
        App: appId,
        "Failed trigger": failedTriggers.join(", "),
        Event: deliveryKey && <code>{deliveryKey}</code>,
        Received: counted(received, "time"),
        "Counted tries": tries,
        Finished: finished.join(", "),
        Lane: isWaiting && lane !== "" && <code>{lane}</code>,
        Id: <code>{id}</code>,
      }}
    />
  );
}
