import type { ShownTimer, TimersAnswer } from "../../../api/world-timers.ts";
import { ask } from "../../parts/ask.ts";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { DataTable } from "../../parts/data-table.tsx";
import { Empty } from "../../parts/empty.tsx";
import { CheckField } from "../../parts/field.tsx";
import { Time } from "../../parts/time.tsx";
import { notifyDone } from "../../parts/toasts.tsx";
import { useResource } from "../../parts/use-resource.ts";
import { PartHead, PartTrouble } from "./part-head.tsx";
import { inWords } from "./running/in-words.ts";

const path = "/api/world/timers";

const kinds: Readonly<Record<ShownTimer["kind"], string>> = {
  delivery: "delivery",
  lane: "lane",
  message: "queue",
  flow: "flow",
  try: "function",
  schedule: "schedule",
};

export function TimersPart() {
  const { value, error } = useResource<TimersAnswer>(path, ["world", "queues", "flows", "journeys"]);
  return (
    <>
      <PartHead
        title="Timers"
        says="Everything that waits for a time, soonest first. “Now” triggers one item immediately; moving the clock triggers all of them in order."
      >
        <CheckField
          label="Schedules run by themselves"
          value={value?.schedulesRun ?? false}
          onInput={(run) => void ask(`${path}/schedules`, { method: "PUT", body: { run } })}
        />
        <a href="#/world/clock">Clock</a>
      </PartHead>
      <PartTrouble error={error} />
      {value !== undefined && <TimerTable answer={value} />}
    </>
  );
}

function TimerTable({ answer: { timers, total, nowMs } }: { answer: TimersAnswer }) {
  if (timers.length === 0) {
    return (
      <Empty title="No timers">
        Retries of deliveries, parked lanes, waiting flows and schedules appear here.
      </Empty>
    );
  }
  return (
    <>
      <DataTable
        label="Timers"
        rows={timers}
        keyOf={({ id }) => id}
        columns={[
          {
            title: "Due",
            cell: ({ dueMs }) => (
              <span class="stack">
                <span>{dueMs <= nowMs ? "now" : `in ${inWords(dueMs - nowMs)}`}</span>
                <span class="soft">
                  <Time ms={dueMs} withDate={dueMs - nowMs > 43_200_000} />
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
          { title: "Kind", isMinor: true, cell: ({ kind }) => <Badge>{kinds[kind]}</Badge> },
          {
            title: "Fire",
            cell: (timer) => (
              <Button act={() => fire(timer)} label={`Now: ${timer.what}`}>
                Now
              </Button>
            ),
          },
        ]}
      />
      {total > timers.length && <p class="soft">{total - timers.length} more are due later.</p>}
    </>
  );
}

async function fire({ id, what }: ShownTimer): Promise<void> {
  await ask(`${path}/fire`, { method: "POST", body: { id } });
  notifyDone(`Triggered: ${what}.`);
}
