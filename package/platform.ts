/**
 * Starts the emulated platform in a test: REST API, webhooks, faults, a clock, a journal (docs/testing.md).
 * @module cometchat-functions/platform
 */

import "../lib/base/needs-node.ts";

export type { AgentScript, ScriptRule } from "../local/platform/agents/script.ts";
export type {
  AgentSeed as AgentContents,
  ApiToolSeed as ApiToolContents,
  ParameterSeed as ParameterContents,
} from "../local/platform/agents/seed-agent.ts";
export { SeedError } from "../local/platform/check-seed.ts";
export type { FaultRule } from "../local/platform/faults/rules.ts";
export type { Switches as PlatformSwitches } from "../local/platform/services/switches.ts";
export type {
  AppContents,
  BotContents,
  GroupContents,
  PlatformContents,
  UserContents,
  WebhookContents,
} from "../local/test-platform/app-contents.ts";
export {
  createTestPlatform as createPlatform,
  type PlatformConnection,
  type TestPlatform as Platform,
  type TestPlatformOptions as PlatformOptions,
} from "../local/test-platform/create-test-platform.ts";
export type {
  DeliveryTry,
  JournalDelivery,
  JournalRequest,
  PlatformJournal,
} from "../local/test-platform/journal.ts";
export type {
  PlatformMessage,
  PlatformUser,
  Receiver,
  SimulatedActions,
  UserMessage,
} from "../local/test-platform/platform-user.ts";
export type { PlatformClock } from "../local/test-platform/test-clock.ts";
export type { PlatformFault, PlatformFaults } from "../local/test-platform/test-faults.ts";
