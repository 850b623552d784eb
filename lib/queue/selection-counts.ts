import type { SetAside } from "./set-aside.ts";

/** Counts of the selected messages, whatever happens to them. */
export interface SelectionCounts {
  readonly selected: number;
  readonly byApp: ReadonlyMap<string, number>;
  readonly byTrigger: ReadonlyMap<string, number>;
  readonly byReason: ReadonlyMap<string, number>;
}

export interface SelectionTally {
  count(message: SetAside): void;
  counts(): SelectionCounts;
}

export function createSelectionTally(): SelectionTally {
  let selected = 0;
  const byApp = new Map<string, number>();
  const byTrigger = new Map<string, number>();
  const byReason = new Map<string, number>();
  return {
    count: ({ appId, trigger, reason }) => {
      selected += 1;
      increase(byApp, appId);
      increase(byTrigger, trigger);
      increase(byReason, reason);
    },
    counts: () => ({ selected, byApp, byTrigger, byReason }),
  };
}

function increase(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}
