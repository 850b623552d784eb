/**
 * In deliveries from reconcile: webhooks' ids are alphanumeric
 * (docs/internals/platform/ids-and-limits.md#chosen-ids).
 */
export const reconcileWebhook = "reconcile-function";
