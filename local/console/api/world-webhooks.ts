export interface WebhooksAnswer {
  /** Webhooks of the other engine get no events. */
  readonly engine: "current" | "legacy";
  /** Why the functions may get no events of the app. */
  readonly problems: readonly string[];
}
