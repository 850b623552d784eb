import type { BatchEvent } from "../cloud/event-source.ts";
import type { HttpExchange } from "../cloud/gateway/http-gateway.ts";
import type { SentMessage } from "../cloud/queue/sent-messages.ts";
import type { ReloadState } from "../cloud/reload/reload-state.ts";
import type { PlatformRecord } from "../platform/services/records.ts";

/** One thing that happened in the world, as it happens. */
export type WorldNews =
  | { readonly kind: "record"; readonly record: PlatformRecord }
  /** The world's clock has jumped, stopped or gone on. */
  | { readonly kind: "clock" }
  /** What goes wrong on purpose is another than before. */
  | { readonly kind: "faults" }
  | { readonly kind: "batch"; readonly batch: BatchEvent }
  /** A request to the HTTP API, when it is answered. */
  | { readonly kind: "exchange"; readonly exchange: HttpExchange }
  /** A message that somebody has put onto a queue. */
  | { readonly kind: "sent"; readonly sent: SentMessage }
  /** A flow was started, went on, or came to an end. */
  | { readonly kind: "flow" }
  /** A line of a function's log. `atMs` is the machine's time. */
  | { readonly kind: "line"; readonly functionKey: string; readonly line: string; readonly atMs: number }
  /** A line that Lambda itself writes there. */
  | {
      readonly kind: "lambdaLine";
      readonly functionKey: string;
      readonly line: string;
      readonly atMs: number;
    }
  /** An edit of the functions' source, and what becomes of it. */
  | { readonly kind: "reload"; readonly state: ReloadState }
  | {
      readonly kind: "invocation";
      readonly functionKey: string;
      /** AWS's id of the invocation. */
      readonly requestId: string;
      readonly durationMs: number;
      readonly hasFailed: boolean;
    };

/** Passes news to whoever listens. */
export interface NewsBus {
  tell(news: WorldNews): void;
  /** Adds a listener and gives the function that removes it. */
  subscribe(listener: (news: WorldNews) => void): () => void;
}

export function createNewsBus(): NewsBus {
  const listeners = new Set<(news: WorldNews) => void>();
  return {
    tell(news) {
      for (const listener of listeners) listener(news);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
