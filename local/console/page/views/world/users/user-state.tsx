import { Badge } from "../../../parts/badge.tsx";
import type { WireUser } from "../wire.ts";

/** Says whether a user is there, away, or gone for good. */
export function UserState({ user: { status, deactivatedAt } }: { user: WireUser }) {
  if (deactivatedAt !== undefined) return <Badge tone="waiting">deactivated</Badge>;
  return status === "available" || status === "online" ? (
    <Badge tone="good">online</Badge>
  ) : (
    <Badge tone="quiet">offline</Badge>
  );
}
