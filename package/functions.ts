/**
 * Makes functions of an app's own: answers HTTP requests, runs on a schedule, decides what the platform asks. How to add one:
 * docs/add-a-function.md.
 * @module
 */

export type { OwnApp, OwnChat } from "../lib/own-functions/app-access.ts";
export type { Auth } from "../lib/own-functions/auth.ts";
export { basic } from "../lib/own-functions/basic.ts";
export { jwtSettingsSchema } from "../lib/own-functions/jwt/jwt-settings.ts";
export type { VerifiedToken } from "../lib/own-functions/jwt/verify-token.ts";
export { jwt } from "../lib/own-functions/jwt.ts";
export { type HttpFunction, onRequest } from "../lib/own-functions/on-request.ts";
export type { ScheduleHandler, ScheduleOptions } from "../lib/own-functions/on-schedule.ts";
export {
  onSchedule,
  type ScheduleContext,
  type ScheduledFunction,
} from "../lib/own-functions/on-schedule.ts";
export { RefusedRequestError } from "../lib/own-functions/refusal.ts";
export type {
  OwnContext,
  RequestContext,
  RequestDefinition,
  RequestHandler,
} from "../lib/own-functions/request-definition.ts";
export { annotate, type BeforeMessageAnswer, drop, pass } from "../lib/questions/before-message-answer.ts";
export { type ModerationAnswer, match, noMatch } from "../lib/questions/moderation-answer.ts";
export type { OwnDecide, OwnHelp } from "../lib/questions/own-decide.ts";
export type { ContextMessage, Question } from "../lib/questions/question.ts";
