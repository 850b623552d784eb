import { causeNameOf, commonCauseOf } from "./cause-name.ts";
import type { Selection, SetAside } from "./set-aside.ts";

export interface CauseGroup {
  readonly name: string;
  readonly cause: string;
  readonly reason: string;
  readonly appId: string;
  readonly trigger: string;
  /** Trigger handlers that failed. */
  readonly failedTriggers: readonly string[];
  readonly count: number;
  readonly firstAt: number;
  readonly lastAt: number;
  readonly exampleId: string;
}

export function groupByCause(
  messages: Iterable<SetAside>,
  failedTriggersOf: Selection["failedTriggersOf"] = () => [],
): readonly CauseGroup[] {
  const groups = new Map<string, CauseGroup>();
  for (const message of messages) {
    const { id, appId, trigger, reason, cause, setAsideAt } = message;
    const name = causeNameOf(message);
    const known = groups.get(name);
    const isLast = known === undefined || setAsideAt >= known.lastAt;
    groups.set(name, {
      name,
      reason,
      appId,
      trigger,
      failedTriggers: [...new Set([...(known?.failedTriggers ?? []), ...failedTriggersOf(message)])],
      cause: known?.cause ?? commonCauseOf(cause),
      count: (known?.count ?? 0) + 1,
      firstAt: Math.min(known?.firstAt ?? setAsideAt, setAsideAt),
      lastAt: isLast ? setAsideAt : known.lastAt,
      exampleId: isLast ? id : known.exampleId,
    });
  }
  return [...groups.values()].toSorted(
    (one, other) =>
      other.count - one.count || other.lastAt - one.lastAt || one.name.localeCompare(other.name),
  );
}
