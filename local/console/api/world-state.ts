/** What one item of a table says, in words. */
export interface ShownItem {
  /** Names the item within its table. */
  readonly key: string;
  readonly title: string;
  readonly status: string;
  readonly tone: "good" | "waiting" | "plain" | "quiet";
  readonly app: string | undefined;
  readonly about: string;
  /** When it was written or counts, in milliseconds since 1970, where it says so. */
  readonly atMs: number | undefined;
  readonly expiresAtMs: number | undefined;
  readonly facts: Readonly<Record<string, unknown>>;
  /** The value of a state as JSON, which may be changed. */
  readonly value: string | undefined;
}

export interface ItemsAnswer {
  readonly tables: readonly { readonly id: string; readonly title: string; readonly count: number }[];
  readonly table: string;
  readonly items: readonly ShownItem[];
  /** How many fit what was asked. */
  readonly total: number;
}
