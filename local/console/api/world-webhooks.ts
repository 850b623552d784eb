export interface WebhooksAnswer {
  /** Webhooks of the other engine get no events. */
  readonly engine: "current" | "legacy";
  /** The webhook that delivers to the functions, and its misconfigurations. */
  readonly functions: { readonly id: string; readonly problems: readonly string[] } | undefined;
  readonly webhooks: readonly ShownWebhook[];
  readonly families: {
    readonly current: readonly TriggerFamily[];
    readonly legacy: readonly TriggerFamily[];
  };
}

/** A webhook without its password. */
export interface ShownWebhook {
  readonly engine: "current" | "legacy";
  readonly id: string;
  readonly name: string;
  readonly webhookURL: string;
  readonly useBasicAuth: boolean;
  readonly username: string | undefined;
  readonly hasPassword: boolean;
  readonly enabled: boolean;
  readonly retryOnFailure: boolean;
  readonly triggers: readonly string[];
  readonly deliveries: { readonly delivered: number; readonly pending: number; readonly lost: number };
}

export interface TriggerFamily {
  readonly title: string;
  readonly triggers: readonly { readonly id: string; readonly says: string }[];
}
