import type { ShownTimer, TimersAnswer } from "../../../api/world-timers.ts";
import { Button } from "../../parts/button.tsx";
import { CheckField } from "../../parts/field.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { Badge, Empty } from "../../parts/texts.tsx";
import { Time, toIn } from "../../parts/time.tsx";
import { Part, type PartResource, usePart } from "./part.tsx";

const kinds: Readonly<Record<ShownTimer["kind"], string>> = {
  delivery: "delivery",
  lane: "lane",
  message: "queue",
  flow: "flow",
  try: "function",
  schedule: "schedule",
};

export function TimersPart() {
  const part = usePart<TimersAnswer>("/api/world/timers", "queues", "flows", "journeys");
  const { timers, total, nowMs, schedulesRun } = part.value ?? { timers: [], total: 0, nowMs: 0 };
  return (
    <Part
      title="Timers"
      says="Everything that waits for a time, soonest first. “Now” triggers one item immediately; moving the clock triggers all of them in order."
      acts={
        <>
          <CheckField
            label="Schedules run by themselves"
            value={schedulesRun ?? false}
            onInput={(run) => part.set("PUT", "/schedules", { run })}
          />
          <a href="#/world/clock">Clock</a>
        </>
      }
      error={part.error}
    >
      <Table
        label="Timers"
        rows={part.value?.timers}
        empty={
          <Empty title="No timers">
            Retries of deliveries, parked lanes, waiting flows and schedules appear here.
          </Empty>
        }
        columns={columnsOf(part, nowMs)}
      />
      {total > timers.length && <p class="soft">{total - timers.length} more are due later.</p>}
    </Part>
  );
}

function columnsOf({ change }: PartResource<TimersAnswer>, nowMs: number): readonly Column<ShownTimer>[] {
  return [
    {
      title: "Due",
      cell: ({ dueMs }) => (
        <span class="stack">
          <span>{toIn(dueMs, nowMs)}</span>
          <span class="soft">
            <Time ms={dueMs} format={dueMs - nowMs > 43_200_000 ? "moment" : "time"} />
          </span>
        </span>
      ),
    },
    {
      title: "What",
      cell: ({ what, where, href }) => (
        <>
          {href === undefined ? what : <a href={href}>{what}</a>}
          <br />
          <span class="soft">{where}</span>
        </>
      ),
    },
    { title: "Kind", class: "is-spare", cell: ({ kind }) => <Badge>{kinds[kind]}</Badge> },
    {
      title: "Fire",
      cell: ({ id, what }) => (
        <Button act={() => change("POST", "/fire", { id }, `Triggered: ${what}.`)} label={`Now: ${what}`}>
          Now
        </Button>
      ),
    },
  ];
}
