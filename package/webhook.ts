/**
 * Receives webhooks on any host: a function from `Request` to `Response` that hands each delivery to a store before it answers.
 * Hosts and stores, each with an example: docs/webhook.md.
 * @module
 */

export { MessageTooLargeError } from "../lib/event-queue/message-text.ts";
export type { QuarantineReason } from "../lib/event-queue/quarantine.ts";
export type { ChatEvent } from "../lib/events/chat-event.ts";
export type { EventFamily, Identity } from "../lib/events/identity.ts";
export type { Problem } from "../lib/events/problems.ts";
export type { Log, LogFields } from "../lib/log.ts";
export { PermanentError } from "../lib/triggers/permanent-error.ts";
export {
  type AcceptedCredentials,
  type WebhookAccess,
  WebhookAccessError,
  type WebhookAccessSource,
} from "../lib/webhook/accepted-apps.ts";
export {
  createWebhookReceiver,
  type WebhookReceiver,
  type WebhookReceiverOptions,
} from "../lib/webhook/create-webhook-receiver.ts";
export {
  type LambdaHandler,
  type LambdaHttpEvent,
  type LambdaHttpResult,
  toLambdaHandler,
} from "../lib/webhook/hosts/to-lambda-handler.ts";
export { type NodeHandler, type NodeRequest, toNodeHandler } from "../lib/webhook/hosts/to-node-handler.ts";
export {
  createSqliteStore,
  type SqliteStore,
  type SqliteStoreOptions,
} from "../lib/webhook/stores/create-sqlite-store.ts";
export { createSqsStore, type SqsStoreOptions } from "../lib/webhook/stores/create-sqs-store.ts";
export type { ConsumeOptions, StoreConsumer } from "../lib/webhook/stores/sqlite/consume.ts";
export type { StoredEventContext, StoredEventHandler } from "../lib/webhook/stores/sqlite/handle-stored.ts";
export { StoreFileError } from "../lib/webhook/stores/sqlite/open-store-file.ts";
export type {
  ReplayOutcome,
  SetAsideDelivery,
  SetAsideQuery,
} from "../lib/webhook/stores/sqlite/set-aside-desk.ts";
export type { AwsCredentialsSource, AwsKeys } from "../lib/webhook/stores/sqs-caller.ts";
export {
  type KeptDelivery,
  type StoreCheck,
  StoreCheckError,
  type StoreUnderTest,
  webhookStoreChecks,
} from "../lib/webhook/stores/store-checks.ts";
export type {
  PutLimits,
  ReadDelivery,
  UnreadDelivery,
  WebhookDelivery,
  WebhookStore,
} from "../lib/webhook/webhook-store.ts";
