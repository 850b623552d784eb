import type { Hindrance } from "../../../api/queues.ts";
import { Badge } from "../../parts/badge.tsx";
import { toIn } from "./queue-words.ts";

export function Hindrances({ found, nowMs }: { found: readonly Hindrance[]; nowMs: number }) {
  if (found.length === 0) return null;
  return (
    <ul class="bar" aria-label="Why messages wait">
      {found.map((one) =>
        one.kind === "pause" ? (
          <li key={`${one.appId} ${one.what}`}>
            <Badge tone="waiting">paused</Badge> {one.what} of {one.appId}, by {one.by}
            {one.reason === undefined ? "" : ` (${one.reason})`}; ends {toIn(one.untilMs, nowMs)}
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
