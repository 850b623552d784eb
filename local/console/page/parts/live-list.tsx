import { useRef, useState } from "preact/hooks";
import type { Topic } from "../../api/notices.ts";
import { type Filters, filterNames } from "./filters.tsx";
import { type Resource, useResource } from "./use-resource.ts";

export interface GrowingList {
  readonly hasOlder: boolean;
  /** Rows after the one named by `after`. */
  readonly newer: number;
}

export interface LiveList<List extends GrowingList> extends Resource<List> {
  readonly isPaused: boolean;
  /** Rows added since it was paused. */
  readonly newer: number;
  pause(isPaused: boolean): void;
}

/** It is live unless it is paused or shows older rows. */
export function useLiveList<List extends GrowingList>(
  path: string,
  topics: readonly Topic[],
  {
    filters,
    names,
    newestOf,
  }: {
    readonly filters: Filters;
    readonly names: readonly string[];
    readonly newestOf: (list: List) => number | undefined;
  },
): LiveList<List> {
  const [isPaused, pause] = useState(false);
  const newest = useRef(0);
  const query = filters.query([...names, filterNames.before]);
  const found = useResource<List>(`${path}?${query}`, topics, { isPaused });
  if (found.value !== undefined && !isPaused) newest.current = newestOf(found.value) ?? 0;
  // Shows the previous rows until new ones arrive.
  const last = useRef(found.value);
  if (found.value !== undefined) last.current = found.value;
  const since = useResource<List>(
    isPaused ? `${path}?${filters.query(names)}&limit=1&after=${newest.current}` : undefined,
    topics,
  );
  return {
    ...found,
    value: last.current,
    isPaused,
    newer: isPaused ? (since.value?.newer ?? 0) : 0,
    pause(wanted) {
      pause(wanted);
      if (!wanted) found.reload();
    },
  };
}

export function PauseButton({ list }: { list: Pick<LiveList<GrowingList>, "isPaused" | "newer" | "pause"> }) {
  const { isPaused, newer, pause } = list;
  return (
    <button type="button" aria-pressed={isPaused} onClick={() => pause(!isPaused)}>
      {isPaused ? `Resume${newer > 0 ? ` (${newer} new)` : ""}` : "Pause"}
    </button>
  );
}

export function OlderRows({
  filters,
  hasOlder,
  last,
}: {
  filters: Filters;
  hasOlder: boolean;
  last: number | string | undefined;
}) {
  const isOlder = filters.get(filterNames.before) !== undefined;
  if (!isOlder && !hasOlder) return null;
  const show = (before: string | undefined) => filters.set({ [filterNames.before]: before }, { keeps: true });
  return (
    <p class="more buttons">
      {isOlder && (
        <button type="button" onClick={() => show(undefined)}>
          Back to the newest
        </button>
      )}
      {hasOlder && last !== undefined && (
        <button type="button" onClick={() => show(String(last))}>
          Show older rows
        </button>
      )}
    </p>
  );
}
