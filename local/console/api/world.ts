export interface WorldFacts {
  readonly apps: readonly { readonly appId: string; readonly name: string; readonly region: string }[];
  /** The newest conversation, and the user who began it; undefined before the first message. */
  readonly talk:
    | { readonly appId: string; readonly uid: string; readonly conversationId: string }
    | undefined;
  /** Of the project, an absolute path. */
  readonly folder: string;
  readonly addresses: { readonly platform: string; readonly functions: string; readonly lambda: string };
}

/** What went wrong, by the view that shows it. */
export interface TroubleCounts {
  readonly journeys: number;
  readonly queues: number;
  readonly flows: number;
}
