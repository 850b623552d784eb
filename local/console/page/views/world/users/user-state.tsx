import { Badge } from "../../../parts/badge.tsx";
import type { WireUser } from "../wire.ts";

export function UserState({ user: { status, deactivatedAt } }: { user: WireUser }) {
  if (deactivatedAt !== undefined) return <Badge tone="waiting">deactivated</Badge>;
  return status === "available" || status === "online" ? (
    <Badge tone="good">online</Badge>
  ) : (
    <Badge tone="quiet">offline</Badge>
  );
}
