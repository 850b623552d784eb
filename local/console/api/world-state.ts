import type { Rows } from "./rows.ts";

export interface ShownItem {
  readonly key: string;
  readonly title: string;
  readonly status: string;
  readonly tone: "good" | "waiting" | "plain" | "quiet";
  readonly app: string | undefined;
  readonly about: string;
  /** Written, or counted from, in milliseconds since 1970. */
  readonly atMs: number | undefined;
  readonly expiresAtMs: number | undefined;
  readonly facts: Readonly<Record<string, unknown>>;
  /** A trigger's state as JSON; only this can be changed. */
  readonly value: string | undefined;
}

export interface ItemsAnswer extends Rows<ShownItem> {
  readonly tables: readonly { readonly id: string; readonly title: string; readonly count: number }[];
  readonly table: string;
}
