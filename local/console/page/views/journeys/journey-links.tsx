import type { JourneyLink } from "../../../api/journeys.ts";
import { VerdictBadge } from "../../parts/badge.tsx";
import { toHash } from "../../parts/route.ts";

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
