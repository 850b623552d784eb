/**
 * Creates an app's custom functions: answer HTTP requests, run on a schedule, decide the platform's questions
 * (docs/functions.md). @module cometchat-functions/functions
 */

export type { AgentAnswer, AgentInput, AgentMessage, CallerTool } from "../lib/endpoints/agents/agent-run.ts";
export type { AgentHandler, AgentRun } from "../lib/endpoints/agents/answer-agent-run.ts";
export {
  type AgentEndpointOptions,
  createAgentEndpoint,
  type HostedAgentRun,
} from "../lib/endpoints/agents/create-agent-endpoint.ts";
export { type AgentFunction, onAgentRun } from "../lib/endpoints/agents/on-agent-run.ts";
export {
  type AgentToolCall,
  type AgentToolHandler,
  onAgentTool,
} from "../lib/endpoints/agents/on-agent-tool.ts";
export type { OwnApp, OwnChat } from "../lib/endpoints/own/app-access.ts";
export { basic } from "../lib/endpoints/own/basic.ts";
export { effectsOf, type OwnEffects } from "../lib/endpoints/own/effects-of.ts";
export { jwtSettingsSchema } from "../lib/endpoints/own/jwt/jwt-settings.ts";
export { jwt, type VerifiedToken } from "../lib/endpoints/own/jwt.ts";
export { type HttpFunction, onRequest } from "../lib/endpoints/own/on-request.ts";
export type { ScheduleHandler, ScheduleOptions } from "../lib/endpoints/own/on-schedule.ts";
export {
  onSchedule,
  type ScheduleContext,
  type ScheduledFunction,
} from "../lib/endpoints/own/on-schedule.ts";
export { RefusedRequestError } from "../lib/endpoints/own/refusal.ts";
export type {
  Auth,
  OwnContext,
  OwnRun,
  RequestContext,
  RequestDefinition,
  RequestHandler,
} from "../lib/endpoints/own/request-definition.ts";
export {
  annotate,
  type BeforeMessageAnswer,
  drop,
  pass,
} from "../lib/endpoints/questions/before-message-answer.ts";
export { type ModerationAnswer, match, noMatch } from "../lib/endpoints/questions/moderation-answer.ts";
export type { OwnDecide, OwnHelp } from "../lib/endpoints/questions/own-decide.ts";
export type { ContextMessage, Question } from "../lib/endpoints/questions/question.ts";
