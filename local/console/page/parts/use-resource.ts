import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import type { Topic } from "../../api/notices.ts";
import { ask, messageOf } from "./ask.ts";

export interface Resource<Value> {
  /** Last answer; kept while reloading, and if that fails. */
  readonly value: Value | undefined;
  readonly error: string | undefined;
  readonly isLoading: boolean;
  reload(): void;
}

interface ResourceOptions {
  readonly onBehalfOf?: string;
  readonly body?: object;
  /** Keeps the previous path's value until there is another. */
  readonly keepsValue?: boolean;
  /** Between requests that changes cause. */
  readonly leastGapMs?: number;
}

/** Runs at most one request; changes during it cause one more. Loads nothing without a path. */
export function useResource<Value>(
  path: string | undefined,
  topics: readonly Topic[],
  { onBehalfOf, body, keepsValue = false, leastGapMs = 0 }: ResourceOptions = {},
): Resource<Value> {
  const id = JSON.stringify([path, onBehalfOf, body]);
  const [state, setState] = useState<Known<Value>>({ id });
  const current = useRef(newLoading(id));
  const wanted = topics.join();

  const load = useCallback(() => {
    if (path === undefined) return;
    const loading = current.current;
    if (loading.isAsking) {
      loading.isStale = true;
      return;
    }
    loading.isAsking = true;
    loading.askedAtMs = performance.now();
    const finish = (change: Omit<Known<Value>, "id">) => {
      loading.isAsking = false;
      if (current.current !== loading) return;
      setState((before) => ({ ...(before.id === id ? before : {}), id, error: undefined, ...change }));
      if (!loading.isStale) return;
      loading.isStale = false;
      load();
    };
    ask<Value>(path, { onBehalfOf, ...(body !== undefined && { method: "POST", body }) }).then(
      (value) => finish({ value }),
      (error: unknown) => finish({ error: messageOf(error) }),
    );
  }, [id]);

  useEffect(() => {
    current.current = newLoading(id);
    load();
  }, [load]);
  const waitMs = () => current.current.askedAtMs + leastGapMs - performance.now();
  useEffect(() => listenLater(topics, load, waitMs), [load, wanted]);

  const isKnown = state.id === id;
  return {
    value: isKnown || (keepsValue && path !== undefined) ? state.value : undefined,
    error: isKnown ? state.error : undefined,
    isLoading: path !== undefined && !(isKnown && (state.value ?? state.error) !== undefined),
    reload: load,
  };
}

function newLoading(id: string) {
  return { id, isAsking: false, isStale: false, askedAtMs: Number.NEGATIVE_INFINITY };
}

function listenLater(topics: readonly Topic[], listener: () => void, waitMs: () => number) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = listen(topics, () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      listener();
    }, waitMs());
  });
  return () => {
    clearTimeout(timer);
    stop();
  };
}

interface Known<Value> {
  readonly id: string;
  readonly value?: Value | undefined;
  readonly error?: string | undefined;
}

export function useSettled<Value>(value: Value, ms: number): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(() => value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
}

const listeners = new Set<(topics: readonly Topic[] | "all") => void>();
const watchers = new Set<(isConnected: boolean) => void>();
/** Browsers open at most six connections to a server: the pages share one stream. */
const channel = new BroadcastChannel("notices");
let isWaiting = false;
let isConnected = true;
/** The server sends an empty notice every 4 s. */
const longestSilenceMs = 10_000;

interface Notice {
  readonly isConnected: boolean;
  readonly topics: readonly Topic[] | "all";
}

/** Calls `listener` when one of the topics may have changed, and after each reconnect. */
export function listen(topics: readonly Topic[], listener: () => void): () => void {
  const onTopics = (changed: readonly Topic[] | "all") => {
    if (changed === "all" || changed.some((topic) => topics.includes(topic))) listener();
  };
  listeners.add(onTopics);
  connect();
  return () => void listeners.delete(onTopics);
}

export function useConnected(): boolean {
  const [value, setValue] = useState(isConnected);
  useEffect(() => {
    watchers.add(setValue);
    connect();
    return () => void watchers.delete(setValue);
  }, []);
  return value;
}

function connect() {
  if (isWaiting) return;
  isWaiting = true;
  channel.addEventListener("message", ({ data }) => notifyPage(data));
  // The page that holds the lock listens for all; another one takes over when it closes.
  void navigator.locks.request("notices", () => {
    openStream();
    return new Promise(() => {});
  });
}

function openStream() {
  const source = new EventSource("/api/notices");
  let silence: ReturnType<typeof setTimeout> | undefined;
  const notify = (notice: Notice) => {
    clearTimeout(silence);
    silence = setTimeout(broadcast, longestSilenceMs, { isConnected: false, topics: [] });
    broadcast(notice);
  };
  source.addEventListener("message", ({ data }) => notify({ isConnected: true, topics: JSON.parse(data) }));
  // Earlier changes were missed.
  source.addEventListener("open", () => notify({ isConnected: true, topics: "all" }));
  source.addEventListener("error", () => {
    clearTimeout(silence);
    broadcast({ isConnected: false, topics: [] });
    if (source.readyState === EventSource.CLOSED) setTimeout(openStream, 1_000);
  });
}

function broadcast(notice: Notice) {
  channel.postMessage(notice);
  notifyPage(notice);
}

function notifyPage(notice: Notice) {
  isConnected = notice.isConnected;
  for (const watcher of watchers) watcher(isConnected);
  for (const listener of [...listeners]) listener(notice.topics);
}
