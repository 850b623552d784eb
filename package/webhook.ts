/**
 * Receives webhooks on any host: a function from `Request` to `Response` that stores each delivery before it
 * answers. Hosts and stores: docs/webhook.md. @module cometchat-functions/webhook
 */

export { PermanentError } from "../lib/base/errors.ts";
export type { Log, LogFields } from "../lib/base/log.ts";
export type { ChatEvent } from "../lib/events/chat-event.ts";
export type { EventFamily, Identity } from "../lib/events/identity.ts";
export type { Problem } from "../lib/events/problems.ts";
export type { QuarantineReason } from "../lib/queue/quarantine.ts";
export { MessageTooLargeError } from "../lib/queue/queued-event.ts";
export {
  type AcceptedCredentials,
  type WebhookAccess,
  WebhookAccessError,
  type WebhookAccessSource,
} from "../lib/receive/own-hosts/accepted-apps.ts";
export {
  createWebhookReceiver,
  type WebhookReceiver,
  type WebhookReceiverOptions,
} from "../lib/receive/own-hosts/create-webhook-receiver.ts";
export {
  createSqliteStore,
  type SqliteStore,
  type SqliteStoreOptions,
} from "../lib/receive/own-hosts/stores/create-sqlite-store.ts";
export { createSqsStore, type SqsStoreOptions } from "../lib/receive/own-hosts/stores/create-sqs-store.ts";
export type { ConsumeOptions, StoreConsumer } from "../lib/receive/own-hosts/stores/sqlite/consume.ts";
export type {
  StoredEventContext,
  StoredEventHandler,
} from "../lib/receive/own-hosts/stores/sqlite/handle-stored.ts";
export { StoreFileError } from "../lib/receive/own-hosts/stores/sqlite/open-store-file.ts";
export type {
  ReplayOutcome,
  SetAsideDelivery,
  SetAsideQuery,
} from "../lib/receive/own-hosts/stores/sqlite/set-aside.ts";
export type { AwsCredentialsSource, AwsKeys } from "../lib/receive/own-hosts/stores/sqs-caller.ts";
export {
  type KeptDelivery,
  type StoreCheck,
  StoreCheckError,
  type StoreUnderTest,
  webhookStoreChecks,
} from "../lib/receive/own-hosts/stores/store-checks.ts";
export {
  type LambdaHandler,
  type LambdaHttpEvent,
  type LambdaHttpResult,
  toLambdaHandler,
} from "../lib/receive/own-hosts/to-lambda-handler.ts";
export {
  type NodeHandler,
  type NodeRequest,
  toNodeHandler,
} from "../lib/receive/own-hosts/to-node-handler.ts";
export type {
  PutLimits,
  ReadDelivery,
  UnreadDelivery,
  WebhookDelivery,
  WebhookStore,
} from "../lib/receive/own-hosts/webhook-store.ts";
