import type { ParkedLaneRow, ParkedLanes } from "../../../api/queues.ts";
import { toHash } from "../../parts/route.ts";
import { Panes, Table } from "../../parts/table.tsx";
import { Badge, counted, Empty, Facts, Trouble } from "../../parts/texts.tsx";
import { spanOf, Time, toIn } from "../../parts/time.tsx";
import { useResource } from "../../parts/use-resource.ts";

export function Lanes({ chosen }: { chosen: string | undefined }) {
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
          { title: "Since", cell: ({ sinceMs }) => sinceMs !== undefined && <Time ms={sinceMs} /> },
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
  const { appId, sinceMs, cause, waits, events, hasMore } = lane;
  return (
    <>
      <h2>Lane {shortName(lane)}</h2>
      <p>
        <Badge tone="waiting">parked</Badge> {waitOf(lane, nowMs)}
      </p>
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

function waitOf({ wakeAtMs, heldBy }: ParkedLaneRow, nowMs: number): string {
  if (heldBy === undefined) return `next attempt ${toIn(wakeAtMs, nowMs)}`;
  return heldBy.startsWith("for ") ? "the destination's next answer" : "the end of a pause";
}

function shortName({ id, trigger = "" }: ParkedLaneRow): string {
  return `${id.slice(id.indexOf(" ") + 1).slice(0, 12)} ${trigger}`.trim();
}
