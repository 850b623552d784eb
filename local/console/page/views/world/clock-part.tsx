import { useState } from "preact/hooks";
import type { MovedAnswer } from "../../../api/world-clock.ts";
import { ask } from "../../parts/ask.ts";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { TextField } from "../../parts/field.tsx";
import { sayTime } from "../../parts/time.tsx";
import { notifyDone } from "../../parts/toasts.tsx";
import { useWorldTime } from "../../parts/world-clock.tsx";
import { Card, PartHead } from "./part-head.tsx";
import { inWords } from "./running/in-words.ts";

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
  const { clock, nowMs } = useWorldTime();
  if (clock === undefined || nowMs === undefined) return null;
  const aheadMs = nowMs - Date.now();
  return (
    <>
      <PartHead
        title="Clock"
        says="The time of the platform, the queues, the flows, the schedules and the functions. When the clock is moved, each waiting item happens at its time, in order."
      >
        {clock.isFrozen ? (
          <Button kind="main" act={() => setFrozen(false)}>
            Let it run
          </Button>
        ) : (
          <Button act={() => setFrozen(true)} isDisabled={!clock.canMove}>
            Freeze
          </Button>
        )}
      </PartHead>
      <div class="cards">
        <Card title="Now">
          <p class="huge">
            <time dateTime={new Date(nowMs).toISOString()}>{sayTime(nowMs, "moment")}</time>
          </p>
          <p class="buttons">
            {clock.isFrozen ? <Badge tone="waiting">frozen</Badge> : <Badge tone="good">running</Badge>}
            <span class="soft">
              {Math.abs(aheadMs) < 1_500
                ? "as the machine’s clock"
                : `${inWords(aheadMs)} ahead of the machine’s clock`}
            </span>
          </p>
          {!clock.canMove && (
            <p class="trouble">This local stack was started with a clock that only its owner can move.</p>
          )}
        </Card>
        <Card title="Move it forward">
          <div class="buttons">
            {spans.map(([label, byMs]) => (
              <Button key={label} act={() => move({ byMs })} label={`Forward by ${label}`}>
                + {label}
              </Button>
            ))}
          </div>
          <NextThing nextAtMs={clock.nextAtMs} nowMs={nowMs} />
          <ToTime nowMs={nowMs} />
        </Card>
        <ClockUsers />
      </div>
    </>
  );
}

function ClockUsers() {
  return (
    <Card title="What uses it" isWide>
      <ul class="bullets soft">
        <li>
          Deliveries’ retries, delayed and hidden messages, parked lanes, waits of flows and their time
          limits.
        </li>
        <li>
          Schedules of serverless.yml. One that is due several times in a move runs once, at the last time.
        </li>
        <li>
          The functions: an event’s age, tokens and log lines use the local stack’s time. Their own timers do
          not.
        </li>
        <li>
          Operators’ commands with <code>--local</code> and this page, also for what faults last. Other
          programs use the machine’s time.
        </li>
      </ul>
    </Card>
  );
}

function NextThing({ nextAtMs, nowMs }: { nextAtMs: number | undefined; nowMs: number }) {
  if (nextAtMs === undefined) return <p class="soft">Nothing is waiting for a time.</p>;
  return (
    <p class="buttons">
      <Button act={() => move({ toNext: true })}>To the next waiting item</Button>
      <span class="soft">
        {nextAtMs <= nowMs ? "due now" : `in ${inWords(nextAtMs - nowMs)}`},{" "}
        <a href="#/world/timers">see Timers</a>
      </span>
    </p>
  );
}

function ToTime({ nowMs }: { nowMs: number }) {
  const [text, setText] = useState("");
  const wantedMs = new Date(text).getTime();
  const error = text !== "" && wantedMs < nowMs ? "The clock can only be moved forward." : undefined;
  return (
    <div class="line">
      <TextField type="datetime-local" label="To a time" value={text} onInput={setText} error={error} />
      <Button
        act={() => move({ toMs: wantedMs })}
        isDisabled={Number.isNaN(wantedMs) || error !== undefined}
        label="Go to that time"
      >
        Go
      </Button>
    </div>
  );
}

async function setFrozen(isFrozen: boolean): Promise<void> {
  await ask("/api/world/clock", { method: "PUT", body: { isFrozen } });
}

async function move(body: { byMs: number } | { toMs: number } | { toNext: true }): Promise<void> {
  const { clock, isDone, steps } = await ask<MovedAnswer>("/api/world/clock", { method: "POST", body });
  const due = steps === 0 ? "nothing was due" : steps === 1 ? "one item was due" : `${steps} items were due`;
  if (!isDone)
    throw new Error(
      `Too many items are due; the clock stopped at ${sayTime(clock.nowMs, "moment")}. Move it again to continue.`,
    );
  notifyDone(`It is ${sayTime(clock.nowMs, "moment")}; ${due} on the way.`);
}
