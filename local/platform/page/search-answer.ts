export interface SearchAnswer {
  readonly messages: readonly MessageHit[];
  readonly users: readonly { readonly uid: string; readonly name: string }[];
  readonly groups: readonly {
    readonly guid: string;
    readonly name: string;
    readonly reader?: string | undefined;
  }[];
  /** False if only the newest messages were searched. */
  readonly isWhole: boolean;
}

export interface MessageHit {
  readonly id: string;
  readonly conversationId: string;
  readonly sender: string;
  readonly receiver: string;
  /** Unix seconds. */
  readonly sentAt: number;
  /** The text around the first word; without a text, the kind. */
  readonly excerpt: string;
  /** A user who sees it; undefined in an empty group. */
  readonly reader?: string | undefined;
}
