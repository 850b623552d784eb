import "./queues.css";
import { useEffect } from "preact/hooks";
import type {
  Blocker,
  ParkedLaneRow,
  ParkedLanes,
  QueueFigures,
  QueueName,
  QueuesOverview,
} from "../../../api/queues.ts";
import { toHash, useRoute } from "../../parts/route.ts";
import { Panes, Table } from "../../parts/table.tsx";
import { Badge, counted, Empty, Facts, spanOf, Time, Trouble, toIn } from "../../parts/texts.tsx";
import { useResource } from "../../parts/use-resource.ts";
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
  const { queues, blockers, nowMs } = value ?? { queues: [], blockers: [], nowMs: 0 };
  const queue = queues.find((one) => one.name === name) ?? queues[0];
  return (
    <div class="column">
      <Trouble error={error} />
      <nav class="queues-cards tiles" aria-label="Queues">
        {queues.map((one) => (
          <QueueCard key={one.name} queue={one} nowMs={nowMs} isShown={one === queue} />
        ))}
      </nav>
      {blockers.length > 0 && <Blockers found={blockers} nowMs={nowMs} />}
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

function Blockers({ found, nowMs }: { found: readonly Blocker[]; nowMs: number }) {
  return (
    <ul class="bar" aria-label="Why messages wait">
      {found.map((one) => (
        <li key={JSON.stringify(one)}>
          <BlockerText of={one} nowMs={nowMs} />
        </li>
      ))}
    </ul>
  );
}

function BlockerText({ of, nowMs }: { of: Blocker; nowMs: number }) {
  const { appId } = of;
  switch (of.kind) {
    case "held-back":
      return (
        <>
          <Badge tone="bad">held back</Badge> events of {of.trigger} of {appId}, since{" "}
          <Time ms={of.sinceMs} />; <code>{wakeCommand(appId)}</code> wakes them
        </>
      );
    case "too-many-dead-letters":
      return (
        <>
          <Badge tone="bad">held back</Badge> More than 20 events a minute of {appId} were dead-lettered.
          Others wait, for 24 h at most.
        </>
      );
    case "listener":
      return (
        <>
          <Badge tone="waiting">listener</Badge> A listener acts for {appId} in the deployment's place, by{" "}
          {of.by}; ends {toIn(of.untilMs, nowMs)}
        </>
      );
    case "pause":
      return (
        <>
          <Badge tone="waiting">paused</Badge> {of.what === "app" ? `app ${appId}` : `${of.what} of ${appId}`}
          , by {of.by}
          {of.reason && ` (${of.reason})`}; ends {toIn(of.untilMs, nowMs)}
        </>
      );
    case "closed":
      return (
        <>
          <Badge tone="bad">closed</Badge> {of.destination} failed too often for {appId}; next probe{" "}
          {toIn(of.probeAtMs, nowMs)}
        </>
      );
  }
}

function wakeCommand(appId: string) {
  return `npx cometchat-functions resume hosts --app ${appId} --local`;
}

function Lanes({ chosen }: { chosen: string | undefined }) {
  const { value, error } = useResource<ParkedLanes>("/api/queues/lanes", ["queues"]);
  const { lanes = [], all = 0, nowMs = 0 } = value ?? {};
  const list = (
    <div class="scroll">
      <Trouble error={error} />
      <Table
        label="Parked lanes"
        rows={value?.lanes}
        hrefOf={(id) => toHash("queues", ["parked-lanes", id])}
        chosen={chosen}
        columns={[
          {
            title: "Since",
            class: "is-spare",
            cell: ({ sinceMs }) => sinceMs !== undefined && <Time ms={sinceMs} />,
          },
          { title: "Lane", isLink: true, cell: (lane) => <code>{shortName(lane)}</code> },
          { title: "App", class: "is-spare", cell: ({ appId }) => appId },
          {
            title: "Events",
            class: "number",
            cell: ({ events, hasMore }) => `${events.length}${hasMore ? "+" : ""}`,
          },
          {
            title: "Waits for",
            class: "is-wide",
            cell: (lane) => (
              <>
                {waitOf(lane, nowMs)} <span class="soft">{lane.cause}</span>
              </>
            ),
          },
        ]}
        empty={
          <Empty title="No conversation is parked">
            A conversation whose event cannot be handled now waits here, in order, without delaying others.
          </Empty>
        }
      />
      {all > lanes.length && (
        <p class="more soft">
          The first {lanes.length} of {all} lanes.
        </p>
      )}
    </div>
  );
  const detail = value && chosen && <Lane lane={lanes.find(({ id }) => id === chosen)} nowMs={nowMs} />;
  return <Panes list={list} detail={detail} back={toHash("queues", ["parked-lanes"])} name="Lane" />;
}

function Lane({ lane, nowMs }: { lane: ParkedLaneRow | undefined; nowMs: number }) {
  if (lane === undefined) return <Empty title="No longer parked">This conversation is handled again.</Empty>;
  const { appId, sinceMs, cause, waits, waitsFor, canBeWoken, events, hasMore } = lane;
  return (
    <>
      <h2>Lane {shortName(lane)}</h2>
      <p>
        <Badge tone="waiting">parked</Badge> {waitsFor && "waits for "}
        {waitOf(lane, nowMs)}
      </p>
      {canBeWoken && (
        <p>
          To try again now: <code>{wakeCommand(appId)}</code>
        </p>
      )}
      <Trouble error={cause} />
      <Facts
        of={{
          App: appId,
          Since: sinceMs && [
            <Time key="since" ms={sinceMs} format="moment" />,
            ` (${spanOf(Math.max(0, nowMs - sinceMs))})`,
          ],
          Waited: counted(waits, "time"),
        }}
      />
      <h3>Its events, in order</h3>
      <ol class="small">
        {events.map(({ id: own, trigger, deliveryKey, receivedAtMs }) => (
          <li key={own}>
            {receivedAtMs !== undefined && <Time ms={receivedAtMs} />} {trigger}{" "}
            {deliveryKey && <a href={toHash("journeys", [], { key: deliveryKey })}>{deliveryKey}</a>}
          </li>
        ))}
      </ol>
      {hasMore && <p class="soft">More events follow.</p>}
    </>
  );
}

function waitOf({ wakeAtMs, waitsFor }: ParkedLaneRow, nowMs: number) {
  return waitsFor ?? `next attempt ${toIn(wakeAtMs, nowMs)}`;
}

function shortName({ id, trigger = "" }: ParkedLaneRow) {
  return `${id.slice(id.indexOf(" ") + 1).slice(0, 12)} ${trigger}`.trim();
}
