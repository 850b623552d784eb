import type { JourneyLink } from "../../../api/journeys.ts";
import { Badge } from "../../parts/badge.tsx";
import { toHash } from "../../parts/route.ts";
import { verdicts } from "./verdicts.ts";

export function JourneyLinks({ label, links }: { label: string; links: readonly JourneyLink[] }) {
  if (links.length === 0) return null;
  return (
    <p class="journeys-links">
      <span class="soft">{label}</span>
      {links.map(({ id, trigger, verdict }) => (
        <a key={id} href={toHash("journeys", [id])}>
          {trigger} {id} <Badge tone={verdicts[verdict].tone}>{verdicts[verdict].word}</Badge>
        </a>
      ))}
    </p>
  );
}
