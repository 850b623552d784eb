import type { AppServices } from "../services/services.ts";
import type { AppData } from "../store/database.ts";
import type { Message } from "../store/messages.ts";
import type { User } from "../store/users.ts";
import { findThing, type Thing } from "./agent-route.ts";

/** One answer of an agent to one message. */
export type Run = {
  services: AppServices;
  agent: Thing;
  message: Message;
  sender: User;
  runId: string;
  threadId: string;
};

/** Becomes a message of the category `agentic`. */
export type Part =
  | { type: "assistant"; text: string; card?: unknown }
  | { type: "tool-arguments"; id: string; name: string; arguments: string }
  | { type: "tool-result"; id: string; text: string };

/** `failure` ends the run after `parts`. */
export type RunResult = { parts: Part[]; failure?: string | undefined };

/** One that the platform runs, or a customer's own. */
export function findAgent(data: AppData, uid: string): Thing | undefined {
  return findThing(data, "agent", uid) ?? findThing(data, "byo-agent", uid);
}

/** Undefined also for one that is switched off. */
export function findActiveAgent(data: AppData, uid: string): Thing | undefined {
  const agent = findAgent(data, uid);
  return agent?.isActive === false ? undefined : agent;
}
