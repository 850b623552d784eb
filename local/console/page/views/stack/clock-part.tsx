import type { MovedAnswer, ShownTimer, TimersAnswer } from "../../../api/stack.ts";
import { send } from "../../parts/ask.ts";
import { Button, notifyDone } from "../../parts/button.tsx";
import { Form, type ValueOf } from "../../parts/dialog.tsx";
import { CheckField, TextField } from "../../parts/field.tsx";
import { useStackTime } from "../../parts/stack-clock.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { Badge, Empty, formatTime, spanOf, Time, toIn } from "../../parts/texts.tsx";
import { Card, Part, type PartResource, usePart } from "./part.tsx";

const path = "/api/stack/clock";
const spans = [
  ["10 s", 10_000],
  ["1 min", 60_000],
  ["10 min", 600_000],
  ["1 hour", 3_600_000],
  ["1 day", 86_400_000],
  ["1 week", 604_800_000],
  ["30 days", 2_592_000_000],
] as const;

export function ClockPart() {
  const { clock, nowMs } = useStackTime();
  if (clock === undefined || nowMs === undefined) return null;
  const { isFrozen, nextAtMs } = clock;
  const aheadMs = nowMs - Date.now();
  return (
    <Part
      title="Clock"
      description="The time of the platform, the queues, the flows, the schedules and the functions. When the clock is moved, each waiting item happens at its time, in order."
      acts={
        <Button kind={isFrozen ? "main" : "plain"} act={() => send("PUT", path, { isFrozen: !isFrozen })}>
          {isFrozen ? "Let it run" : "Freeze"}
        </Button>
      }
    >
      <div class="cards">
        <Card title="Now">
          <p class="huge">
            <time dateTime={new Date(nowMs).toISOString()}>{formatTime(nowMs, "moment")}</time>
          </p>
          <p class="buttons">
            <Badge tone={isFrozen ? "waiting" : "good"}>{isFrozen ? "frozen" : "running"}</Badge>
            <span class="soft">
              {Math.abs(aheadMs) < 1_500
                ? "as the machine’s clock"
                : `${spanOf(aheadMs)} ${aheadMs > 0 ? "ahead of" : "behind"} the machine’s clock`}
            </span>
          </p>
        </Card>
        <Card title="Move it forward">
          <div class="buttons">
            {spans.map(([label, byMs]) => (
              <Button key={label} act={() => moveClock({ byMs })} label={`Forward by ${label}`}>
                + {label}
              </Button>
            ))}
          </div>
          <NextItem nextAtMs={nextAtMs} nowMs={nowMs} />
          <ToTime />
        </Card>
      </div>
    </Part>
  );
}

function NextItem({ nextAtMs, nowMs }: { nextAtMs: number | undefined; nowMs: number }) {
  if (nextAtMs === undefined) return <p class="soft">Nothing is waiting for a time.</p>;
  return (
    <p class="buttons">
      <Button act={() => moveClock({ toNext: true })}>To the next waiting item</Button>
      <span class="soft">
        {toIn(nextAtMs, nowMs)}, <a href="#/stack/timers">see Timers</a>
      </span>
    </p>
  );
}

function ToTime() {
  const go = (get: ValueOf) => moveClock({ toMs: new Date(get("time")).getTime() });
  return (
    <Form isLine kind="plain" label="Go to that time" act={go}>
      <TextField type="datetime-local" label="To a time" name="time" isRequired />
    </Form>
  );
}

export async function moveClock(body: { byMs: number } | { toMs: number } | { toNext: true }) {
  const { clock, isDone, steps } = await send<MovedAnswer>("POST", path, body);
  const due = steps === 0 ? "nothing was due" : steps === 1 ? "one item was due" : `${steps} items were due`;
  const moment = formatTime(clock.nowMs, "moment");
  if (!isDone)
    throw new Error(`It took too long; the clock stopped at ${moment}. Move it again to continue.`);
  notifyDone(`It is ${moment}; ${due} on the way.`);
}

export function TimersPart() {
  const part = usePart<TimersAnswer>("/api/stack/timers", "queues", "flows", "journeys");
  const { timers, total, nowMs, schedulesRun } = part.value ?? { timers: [], total: 0, nowMs: 0 };
  return (
    <Part
      title="Timers"
      description="Everything that waits for a time, soonest first. “Now” triggers one item immediately; moving the clock triggers all of them in order."
      acts={
        <>
          <CheckField
            label="Schedules run by themselves"
            value={schedulesRun ?? false}
            onInput={(run) => part.set("PUT", "/schedules", { run })}
          />
          <a href="#/stack/clock">Clock</a>
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
    { title: "Kind", class: "is-spare", cell: ({ kind }) => <Badge>{kind}</Badge> },
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
