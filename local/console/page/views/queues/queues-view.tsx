import "./queues.css";
import { useEffect } from "preact/hooks";
import type { Hindrance, QueueFigures, QueueName, QueuesOverview } from "../../../api/queues.ts";
import { toHash, useRoute } from "../../parts/route.ts";
import { Badge, Trouble } from "../../parts/texts.tsx";
import { spanOf, toIn } from "../../parts/time.tsx";
import { useResource } from "../../parts/use-resource.ts";
import { Lanes } from "./lanes.tsx";
import { QueuedMessages } from "./messages.tsx";

/** Deleted messages and expired timeouts cause no notice, so the view polls. */
const lookAgainMs = 2_000;

export function QueuesView() {
  const [name, id] = useRoute().rest;
  const { value, error, reload } = useResource<QueuesOverview>("/api/queues", ["queues"]);
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) reload();
    }, lookAgainMs);
    return () => clearInterval(timer);
  }, []);
  const { queues, hindrances, nowMs } = value ?? { queues: [], hindrances: [], nowMs: 0 };
  const queue = queues.find((one) => one.name === name) ?? queues[0];
  return (
    <div class="column">
      <Trouble error={error} />
      <nav class="queues-cards tiles" aria-label="Queues">
        {queues.map((one) => (
          <QueueCard key={one.name} queue={one} nowMs={nowMs} isShown={one === queue} />
        ))}
      </nav>
      {hindrances.length > 0 && <Hindrances found={hindrances} nowMs={nowMs} />}
      {queue?.name === "parked-lanes" ? (
        <Lanes chosen={id} />
      ) : (
        queue && <QueuedMessages key={queue.name} queue={queue} chosen={id} />
      )}
    </div>
  );
}

const bad: readonly QueueName[] = ["dead-letters", "quarantine"];

function QueueCard({ queue, nowMs, isShown }: { queue: QueueFigures; nowMs: number; isShown: boolean }) {
  const { name, title, waiting, inFlight, delayed, oldestMs } = queue;
  const all = waiting + inFlight + delayed;
  const isBad = bad.includes(name);
  const facts = [
    inFlight > 0 && `${inFlight} in flight`,
    delayed > 0 && `${delayed} delayed`,
    oldestMs !== undefined && `oldest ${spanOf(Math.max(0, nowMs - oldestMs))}`,
  ];
  return (
    <a
      class={`entry queues-card ${isBad && all > 0 ? "is-bad" : ""}`}
      href={toHash("queues", [name])}
      aria-current={isShown ? "page" : undefined}
    >
      <strong>{title}</strong> <span class="huge toned">{isBad ? all : waiting}</span>{" "}
      <span class="soft small clip">{all === 0 ? "empty" : facts.filter(Boolean).join(", ")}</span>
    </a>
  );
}

function Hindrances({ found, nowMs }: { found: readonly Hindrance[]; nowMs: number }) {
  return (
    <ul class="bar" aria-label="Why messages wait">
      {found.map((one) =>
        one.kind === "pause" ? (
          <li key={`${one.appId} ${one.what}`}>
            <Badge tone="waiting">paused</Badge> {one.what} of {one.appId}, by {one.by}
            {one.reason && ` (${one.reason})`}; ends {toIn(one.untilMs, nowMs)}
          </li>
        ) : (
          <li key={`${one.appId} ${one.destination}`}>
            <Badge tone="bad">closed</Badge> {one.destination} failed too often for {one.appId}; next probe{" "}
            {toIn(one.probeAtMs, nowMs)}
          </li>
        ),
      )}
    </ul>
  );
}
