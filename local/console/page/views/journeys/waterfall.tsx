import type { JourneyDetail } from "../../../api/journeys.ts";
import { spanOf } from "../../parts/time.tsx";
import { placeBars, toWaterfall } from "./waterfall-rows.ts";

export function Waterfall({ journey }: { journey: JourneyDetail }) {
  const from = journey.row.atMs;
  const bars = placeBars(toWaterfall(journey), from);
  if (bars.length === 0) return null;
  return (
    <table class="journeys-times">
      <caption class="visually-hidden">When each step began and how long it took</caption>
      <thead class="visually-hidden">
        <tr>
          <th scope="col">Step</th>
          <th scope="col">Began after</th>
          <th scope="col">Took</th>
        </tr>
      </thead>
      <tbody>
        {bars.map(({ label, startMs, durationMs, kind, left, width }, place) => (
          <tr key={`${place} ${label}`}>
            <th scope="row">{label}</th>
            <td class="journeys-track">
              <span class={`journeys-bar is-${kind}`} style={{ left: `${left}%`, width: `${width}%` }} />
              <span class="visually-hidden">{spanOf(startMs - from)}</span>
            </td>
            <td class="number">{durationMs === undefined ? "…" : spanOf(durationMs)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
