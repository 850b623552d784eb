import type { BatchEvent } from "../cloud/event-source.ts";
import type { HttpExchange } from "../cloud/gateway/http-gateway.ts";
import type { SentMessage } from "../cloud/queue/sent-messages.ts";
import type { ReloadState } from "../cloud/reload/reload-state.ts";
import type { PlatformRecord } from "../platform/services/records.ts";

export type StackNews =
  | { readonly kind: "record"; readonly record: PlatformRecord }
  | { readonly kind: "clock" }
  | { readonly kind: "faults" }
  | { readonly kind: "batch"; readonly batch: BatchEvent }
  | { readonly kind: "exchange"; readonly exchange: HttpExchange }
  | { readonly kind: "sent"; readonly sent: SentMessage }
  | { readonly kind: "flow" }
  | { readonly kind: "line"; readonly functionKey: string; readonly line: string; readonly atMs: number }
  | {
      readonly kind: "lambdaLine";
      readonly functionKey: string;
      readonly line: string;
      readonly atMs: number;
    }
  | { readonly kind: "reload"; readonly state: ReloadState }
  | {
      readonly kind: "invocation";
      readonly functionKey: string;
      readonly requestId: string;
      readonly durationMs: number;
      readonly hasFailed: boolean;
    };

export interface NewsBus {
  publish(news: StackNews): void;
  /** Adds a listener; returns a function that removes it. */
  subscribe(listener: (news: StackNews) => void): () => void;
}

export function createNewsBus(): NewsBus {
  const listeners = new Set<(news: StackNews) => void>();
  return {
    publish(news) {
      for (const listener of listeners) listener(news);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
