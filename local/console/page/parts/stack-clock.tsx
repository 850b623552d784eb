import { type ComponentChildren, createContext } from "preact";
import { useContext, useEffect, useState } from "preact/hooks";
import type { ClockAnswer } from "../../api/stack.ts";
import { formatTime } from "./texts.tsx";
import { useResource } from "./use-resource.ts";

const sameTimeMs = 1_500;

const Clock = createContext<ClockAnswer | undefined>(undefined);

export function WithStackTime({ children }: { readonly children: ComponentChildren }) {
  const { value } = useResource<ClockAnswer>("/api/stack/clock", ["stack"]);
  return <Clock.Provider value={value}>{children}</Clock.Provider>;
}

/** Returns a function that reads the local stack's time. */
export function useNow(): () => number {
  const clock = useContext(Clock);
  return () => timeOf(clock);
}

/** Renders each second. Undefined until the time is known. */
export function useStackTime() {
  const clock = useContext(Clock);
  const [, setTurn] = useState(0);
  const isRunning = clock !== undefined && !clock.isFrozen;
  useEffect(() => {
    if (!isRunning) return undefined;
    const timer = setInterval(() => setTurn((turn) => turn + 1), 1_000);
    return () => clearInterval(timer);
  }, [isRunning]);
  return { clock, nowMs: clock && timeOf(clock) };
}

function timeOf(clock: ClockAnswer | undefined) {
  if (clock === undefined) return Date.now();
  return clock.isFrozen ? clock.nowMs : clock.nowMs + (Date.now() - clock.machineMs);
}

export function StackClock() {
  const { clock, nowMs } = useStackTime();
  if (clock === undefined || nowMs === undefined) return null;
  if (!clock.isFrozen && Math.abs(nowMs - Date.now()) < sameTimeMs) return null;
  return (
    <a class={`badge ${clock.isFrozen ? "is-plain" : "is-waiting"}`} href="#/stack/clock">
      <span class="visually-hidden">Local stack’s time </span>
      <time dateTime={new Date(nowMs).toISOString()}>
        <span class="is-spare">{formatTime(nowMs, "day")}, </span>
        {formatTime(nowMs, "time")}
      </time>
      {clock.isFrozen && <span>frozen</span>}
    </a>
  );
}

/** Shows `0:42`, by the local stack's clock. Calls `onEnd` at the end. */
export function Countdown({ untilMs, onEnd }: { readonly untilMs: number; readonly onEnd: () => void }) {
  const { nowMs } = useStackTime();
  const leftSeconds = nowMs === undefined ? undefined : Math.ceil((untilMs - nowMs) / 1_000);
  const isOver = leftSeconds !== undefined && leftSeconds <= 0;
  useEffect(() => {
    if (isOver) onEnd();
  }, [isOver]);
  if (leftSeconds === undefined || isOver) return null;
  return (
    <span class="number">
      {Math.floor(leftSeconds / 60)}:{String(leftSeconds % 60).padStart(2, "0")}
    </span>
  );
}
