import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import type { Topic } from "../../api/notices.ts";
import { type AskOptions, ask, messageOf } from "./ask.ts";
import { listen } from "./notices.ts";

export interface Resource<Value> {
  /** The last answer; kept while a new one is loading, and if that fails. */
  readonly value: Value | undefined;
  readonly error: string | undefined;
  /** True until the first answer for this path. */
  readonly isLoading: boolean;
  reload(): void;
}

/**
 * At most one request runs at a time; changes during a request cause one more.
 * @param path if undefined, nothing is loaded
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
