import { useEffect } from "preact/hooks";
import { useWorldTime } from "./world-clock.tsx";

/** `0:42`, by the local stack's clock. Calls `onEnd` when it is over. */
export function Countdown({ untilMs, onEnd }: { readonly untilMs: number; readonly onEnd: () => void }) {
  const { nowMs } = useWorldTime();
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
