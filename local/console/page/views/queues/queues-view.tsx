import "./queues.css";
import { useEffect } from "preact/hooks";
import type { QueueFigures, QueueName, QueuesOverview } from "../../../api/queues.ts";
import { useFilters } from "../../parts/filters.tsx";
import { Panes } from "../../parts/panes.tsx";
import { toHash, useRoute } from "../../parts/route.ts";
import { spanOf } from "../../parts/time.tsx";
import { useResource } from "../../parts/use-resource.ts";
import { Hindrances } from "./hindrances.tsx";
import { LaneList, LanePane } from "./lanes.tsx";
import { QueuedMessages } from "./message-list.tsx";
import { MessagePane } from "./message-pane.tsx";

/** Deleted messages and expired timeouts cause no notice, so the view polls. */
const lookAgainMs = 2_000;

export function QueuesView() {
  const { rest } = useRoute();
  const filters = useFilters("queues");
  const overview = useResource<QueuesOverview>("/api/queues", ["queues"]);
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) overview.reload();
    }, lookAgainMs);
    return () => clearInterval(timer);
  }, []);
  const { value, error } = overview;
  const queues = value?.queues ?? [];
  const queue = queues.find(({ name }) => name === rest[0]) ?? queues[0];
  const id = rest[1];
  const isLanes = queue?.name === "parked-lanes";
  return (
    <div class="column">
      {error !== undefined && <p class="trouble">{error}</p>}
      <nav class="queues-cards tiles" aria-label="Queues">
        {value !== undefined &&
          queues.map((one) => (
            <QueueCard key={one.name} queue={one} nowMs={value.nowMs} isShown={one.name === queue?.name} />
          ))}
      </nav>
      {value !== undefined && <Hindrances found={value.hindrances} nowMs={value.nowMs} />}
      {queue !== undefined && (
        <Panes
          key={queue.name}
          list={
            isLanes ? (
              <LaneList filters={filters} chosen={id} />
            ) : (
              <QueuedMessages queue={queue} filters={filters} chosen={id} />
            )
          }
          detail={
            id === undefined ? undefined : isLanes ? (
              <LanePane id={id} />
            ) : (
              <MessagePane queue={queue.name} id={id} />
            )
          }
          back={filters.hash(queue.name)}
          name={isLanes ? "Lane" : "Message"}
        />
      )}
    </div>
  );
}

const bad: readonly QueueName[] = ["dead-letters", "quarantine"];

function QueueCard({ queue, nowMs, isShown }: { queue: QueueFigures; nowMs: number; isShown: boolean }) {
  const { name, title, waiting, inFlight, delayed, oldestMs } = queue;
  const all = waiting + inFlight + delayed;
  const isBad = bad.includes(name) && all > 0;
  const facts = [
    ...(inFlight > 0 ? [`${inFlight} in flight`] : []),
    ...(delayed > 0 ? [`${delayed} delayed`] : []),
    ...(oldestMs === undefined ? [] : [`oldest ${spanOf(Math.max(0, nowMs - oldestMs))}`]),
  ];
  return (
    <a
      class={`entry queues-card ${isBad ? "is-bad" : ""}`}
      href={toHash("queues", [name])}
      aria-current={isShown ? "page" : undefined}
    >
      <strong>{title}</strong> <span class="huge toned">{bad.includes(name) ? all : waiting}</span>{" "}
      <span class="soft small clip">
        {facts.length === 0 ? (all === 0 ? "empty" : "waiting") : facts.join(", ")}
      </span>
    </a>
  );
}
