/**
 * Builds every event that the platform sends, signs requests, runs triggers, flows, with a crash if wanted,
 * and an app's own functions (docs/testing.md). @module cometchat-functions/testing
 */

// Before fake timers are installed: Node keeps the timers of the first import.
import "node:timers/promises";
import "../lib/base/needs-node.ts";

export { type ConfigFilesPlugin, configFiles } from "../build/config-files.ts";
export type {
  BotEventBody,
  EmailExtensionBody,
  EventBody,
  EventEnvelope,
  LegacyEventBody,
  MediaEventBody,
} from "../local/testing/events/body.ts";
export type {
  CallFacts,
  OccupantFacts,
  RecordingFacts,
  SessionEndFacts,
  SessionFacts,
  TranscriptionFacts,
} from "../local/testing/events/call-facts.ts";
export type {
  CampaignDeliveryFacts,
  CampaignFacts,
  CampaignNotificationFacts,
  FeedItemInteractionFacts,
} from "../local/testing/events/campaign-facts.ts";
export { derivedEvents } from "../local/testing/events/derived-events.ts";
export { events } from "../local/testing/events/events.ts";
export type {
  BotMessageFacts,
  EmailExtensionFacts,
  MentionFacts,
  MessageChangeFacts,
  MessageFacts,
  ModerationDecisionFacts,
  ModerationFailureFacts,
  NotificationFacts,
  PushPayloadFacts,
  ReactionFacts,
  ReceiptFacts,
} from "../local/testing/events/message-facts.ts";
export type {
  BlockFacts,
  ConnectionFacts,
  GroupFacts,
  GroupMemberFacts,
  LegacyConnectionFacts,
  OwnerTransferFacts,
  ScopeChangeFacts,
} from "../local/testing/events/user-and-group-facts.ts";
export type {
  FunctionInvocation,
  FunctionOutcome,
  FunctionRequest,
  RequestOutcome,
  RunFunctionOptions,
  RunnableRequest,
  RunnableSchedule,
  RunRequestOptions,
  RunScheduleOptions,
  ScheduleOutcome,
} from "../local/testing/function-run.ts";
export {
  type CrashedRun,
  type EveryCrashOptions,
  runAtEveryCrash,
} from "../local/testing/run-at-every-crash.ts";
export { runFlow } from "../local/testing/run-flow.ts";
export type {
  FlowOutcome,
  RunFlowOptions,
  RunTriggerOptions,
  TriggerOutcome,
} from "../local/testing/run-options.ts";
export { runRequest } from "../local/testing/run-request.ts";
export { runSchedule } from "../local/testing/run-schedule.ts";
export { runTrigger } from "../local/testing/run-trigger.ts";
export {
  type SignedLambdaEvent,
  type SignedLambdaOptions,
  signedLambdaEvent,
} from "../local/testing/signed-lambda-event.ts";
export { type SignedTarget, signedRequest } from "../local/testing/signed-request.ts";
export type {
  CrashPoint,
  EdgeCrash,
  Later,
  LaterEvent,
  StoryOptions,
} from "../local/testing/story-options.ts";
export type {
  ApiRequest,
  LogLine,
  OutsideRequestMade,
  PlayedFlow,
  Remembered,
  SentMessage,
  StartedFlow,
  StoryOutcome,
  WouldHave,
} from "../local/testing/story-outcome.ts";
