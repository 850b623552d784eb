import type { ParkedLaneRow, ParkedLanes } from "../../../api/queues.ts";
import { Badge } from "../../parts/badge.tsx";
import { Empty } from "../../parts/empty.tsx";
import type { Filters } from "../../parts/filters.tsx";
import { HeadRow } from "../../parts/head-row.tsx";
import { useRowKeys } from "../../parts/panes.tsx";
import { toHash } from "../../parts/route.ts";
import { spanOf, Time } from "../../parts/time.tsx";
import { useResource } from "../../parts/use-resource.ts";
import { toIn } from "./queue-words.ts";

export function LaneList({ filters, chosen }: { filters: Filters; chosen: string | undefined }) {
  const { value, error } = useResource<ParkedLanes>("/api/queues/lanes", ["queues"]);
  const box = useRowKeys<HTMLDivElement>();
  const lanes = value?.lanes ?? [];
  return (
    <div class="scroll" ref={box}>
      {error !== undefined && <p class="trouble">{error}</p>}
      {value !== undefined && lanes.length === 0 ? (
        <Empty title="No conversation is parked">
          A conversation whose event cannot be handled now waits here, in order, without delaying others.
        </Empty>
      ) : (
        <table class="rows">
          <HeadRow
            columns={[
              ["Since"],
              ["Lane"],
              ["App", "is-spare"],
              ["Events", "number"],
              ["Waits for", "is-wide"],
            ]}
          />
          <tbody>
            {lanes.map((lane) => (
              <tr key={lane.id} class={lane.id === chosen ? "is-chosen" : undefined}>
                <td>{lane.sinceMs === undefined ? "" : <Time ms={lane.sinceMs} />}</td>
                <td>
                  <a class="row-link" href={filters.hash("parked-lanes", lane.id)}>
                    <code>{shortName(lane)}</code>
                  </a>
                </td>
                <td class="is-spare">{lane.appId}</td>
                <td class="number">
                  {lane.events.length}
                  {lane.hasMore ? "+" : ""}
                </td>
                <td class="is-wide">
                  {waitOf(lane, value?.nowMs ?? 0)}
                  {lane.cause !== undefined && <span class="soft"> · {lane.cause}</span>}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {value !== undefined && value.all > lanes.length && (
        <p class="more soft">
          The first {lanes.length} of {value.all} lanes.
        </p>
      )}
    </div>
  );
}

export function LanePane({ id }: { id: string }) {
  const { value } = useResource<ParkedLanes>("/api/queues/lanes", ["queues"]);
  const lane = value?.lanes.find((one) => one.id === id);
  if (value === undefined) return null;
  if (lane === undefined) return <Empty title="No longer parked">This conversation is handled again.</Empty>;
  const { appId, sinceMs, cause, waits, events, hasMore } = lane;
  return (
    <>
      <h2>Lane {shortName(lane)}</h2>
      <p>
        <Badge tone="waiting">parked</Badge> {waitOf(lane, value.nowMs)}
      </p>
      {cause !== undefined && <p class="trouble">{cause}</p>}
      <dl class="facts">
        <dt>App</dt>
        <dd>{appId}</dd>
        {sinceMs !== undefined && (
          <>
            <dt>Since</dt>
            <dd>
              <Time ms={sinceMs} withDate /> ({spanOf(Math.max(0, value.nowMs - sinceMs))})
            </dd>
          </>
        )}
        <dt>Waited</dt>
        <dd>{waits === 1 ? "once" : `${waits} times`}</dd>
      </dl>
      <h3>Its events, in order</h3>
      <ol class="small">
        {events.map(({ id: own, trigger, deliveryKey, receivedAtMs }) => (
          <li key={own}>
            {receivedAtMs !== undefined && <Time ms={receivedAtMs} />} {trigger}{" "}
            {deliveryKey !== undefined && (
              <a href={toHash("journeys", [], { key: deliveryKey })}>{deliveryKey}</a>
            )}
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

function shortName({ id, trigger }: ParkedLaneRow): string {
  const group = id.slice(id.indexOf(" ") + 1).slice(0, 12);
  return trigger === undefined ? group : `${group} ${trigger}`;
}
