import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import type { Topic } from "../../api/notices.ts";
import { ask, messageOf } from "./ask.ts";
import { listen } from "./notices.ts";

export interface Resource<Value> {
  /** The last answer; kept while it is asked for again, and if that fails. */
  readonly value: Value | undefined;
  readonly error: string | undefined;
  /** True until the first answer for this path. */
  readonly isLoading: boolean;
  reload(): void;
}

export interface ResourceOptions {
  readonly onBehalfOf?: string;
  /** Posted. */
  readonly body?: object;
  /** Whether the value of the path before is kept until there is another one. */
  readonly keepsValue?: boolean;
}

/**
 * At most one request runs at a time; changes during a request cause one more.
 * @param path if undefined, nothing is loaded
 */
export function useResource<Value>(
  path: string | undefined,
  topics: readonly Topic[],
  { onBehalfOf, body, keepsValue = false }: ResourceOptions = {},
): Resource<Value> {
  const id = JSON.stringify([path, onBehalfOf, body]);
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
    ask<Value>(path, { onBehalfOf, ...(body !== undefined && { method: "POST", body }) }).then(
      (value) => finish({ value }),
      (error: unknown) => finish({ error: messageOf(error) }),
    );
  }, [id]);

  useEffect(() => {
    current.current = { id, isAsking: false, isStale: false };
    load();
  }, [load]);
  useEffect(() => listen(topics, load), [load, wanted]);

  const isKnown = state.id === id;
  return {
    value: isKnown || (keepsValue && path !== undefined) ? state.value : undefined,
    error: isKnown ? state.error : undefined,
    isLoading: path !== undefined && !(isKnown && (state.value ?? state.error) !== undefined),
    reload: load,
  };
}

interface Known<Value> {
  readonly id: string;
  readonly value?: Value | undefined;
  readonly error?: string | undefined;
}

/** Returns a value once it has not changed for some milliseconds. */
export function useSettled<Value>(value: Value, ms: number): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(() => value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
}
