import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import type { Topic } from "../../api/notices.ts";
import { type AskOptions, ask, messageOf } from "./ask.ts";
import { listen } from "./notices.ts";

/** What was asked for, as far as it is known. */
export interface Resource<Value> {
  /** The last answer; kept while a new one is on its way, and when that fails. */
  readonly value: Value | undefined;
  readonly error: string | undefined;
  /** True until the first answer to this path. */
  readonly isLoading: boolean;
  /** Asks anew. */
  reload(): void;
}

/**
 * Asks for `path` now, whenever one of the topics may have changed, and when the path changes. News while an answer is on
 * its way are asked for once it is there, so that a flood of them is as many requests as the server can answer.
 * @param path undefined asks for nothing
 */
export function useResource<Value>(
  path: string | undefined,
  topics: readonly Topic[],
  { onBehalfOf, isPaused = false }: Pick<AskOptions, "onBehalfOf"> & { isPaused?: boolean } = {},
): Resource<Value> {
  const id = `${onBehalfOf ?? ""} ${path ?? ""}`;
  const [state, setState] = useState<Known<Value>>({ id });
  const current = useRef({ id, isAsking: false, isStale: false });
  const wanted = topics.join();

  const load = useCallback(() => {
    if (path === undefined) return;
    const mine = current.current;
    if (mine.isAsking) {
      mine.isStale = true;
      return;
    }
    mine.isAsking = true;
    const finish = (change: Omit<Known<Value>, "id">) => {
      mine.isAsking = false;
      if (current.current !== mine) return;
      setState((before) => ({ ...(before.id === id ? before : {}), id, error: undefined, ...change }));
      if (!mine.isStale) return;
      mine.isStale = false;
      load();
    };
    ask<Value>(path, { onBehalfOf }).then(
      (value) => finish({ value }),
      (error: unknown) => finish({ error: messageOf(error) }),
    );
  }, [id]);

  useEffect(() => {
    current.current = { id, isAsking: false, isStale: false };
    load();
  }, [load]);
  useEffect(() => {
    if (isPaused) return undefined;
    return listen(topics, load);
  }, [load, wanted, isPaused]);

  const known: Known<Value> = state.id === id ? state : { id };
  return {
    value: known.value,
    error: known.error,
    isLoading: known.value === undefined && known.error === undefined && path !== undefined,
    reload: load,
  };
}

interface Known<Value> {
  readonly id: string;
  readonly value?: Value | undefined;
  readonly error?: string | undefined;
}
