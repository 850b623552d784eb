import type { JourneyLink } from "../../../api/journeys.ts";
import { toHash } from "../../parts/route.ts";
import { VerdictBadge } from "../../parts/texts.tsx";

export function JourneyLinks({ label, links }: { label: string; links: readonly JourneyLink[] }) {
  if (links.length === 0) return null;
  return (
    <p class="row">
      <span class="soft">{label}</span>
      {links.map((link) => (
        <a key={link.id} href={toHash("journeys", [link.id])}>
          {link.trigger} {link.id} <VerdictBadge of={link} />
        </a>
      ))}
    </p>
  );
}

export function FlowLinks({ ids }: { ids: readonly string[] }) {
  if (ids.length === 0) return null;
  return (
    <p class="row">
      <span class="soft">Flows</span>
      {ids.map((id) => (
        <a key={id} href={toHash("flows", [id])}>
          {id}
        </a>
      ))}
    </p>
  );
}

/** Links to all else about a delivery key, except in the view `from`. */
export function DeliveryLinks({ of: key, from }: { of: string | undefined; from?: "log" | "journeys" }) {
  if (key === undefined) return null;
  return (
    <>
      {from !== "journeys" && <a href={toHash("journeys", [], { key })}>Its journey</a>}
      {from !== "log" && <a href={toHash("log", [], { key, level: "debug" })}>Its log lines</a>}
      <a href={toHash("calls", [], { key })}>Its calls</a>
    </>
  );
}
