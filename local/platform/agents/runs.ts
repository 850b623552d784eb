import { randomUUID } from "node:crypto";
import { buildMessage, keepMessage } from "../chat/message-store.ts";
import { PlatformError } from "../errors/platform-error.ts";
import type { JsonObject } from "../json.ts";
import { type AppServices, type Occurrences, type Services, servicesOf } from "../services/services.ts";
import { listApps } from "../store/apps.ts";
import { deleteDocument, getDocument, listDocuments, putDocument } from "../store/database.ts";
import { isKept } from "../store/message-access.ts";
import { findMessage } from "../store/messages.ts";
import { findActiveUser, type User } from "../store/users.ts";
import { askAgent } from "./ag-ui.ts";
import { documentKind, findPart } from "./agent-route.ts";
import { findActiveAgent, findAgent, type Part, type Run, type RunResult } from "./run.ts";
import { playScript } from "./script.ts";

/** Stored, so that no run is lost or doubled. */
type WaitingRun = { messageId: string; conversationId: string; isBegun: boolean };

const kind = "agents-run";

/** Ignores messages by an agent or the app, and messages hidden from the agent (assumed). */
export function startRun(
  services: AppServices,
  { message }: Pick<Occurrences["messageStored"], "message">,
): void {
  const { id: messageId, conversationId, category, type, receiver, receiverType } = message;
  if (receiverType !== "user" || category !== "message" || type !== "text") return;
  if (findActiveAgent(services, receiver) === undefined || isKept(services, message)) return;
  const sender = findActiveUser(services, message.sender);
  if (sender === undefined) return;
  // The user of a deleted agent remains.
  if (sender.role === "@agentic" || findAgent(services, sender.uid) !== undefined) return;
  putDocument(services, kind, messageId, { messageId, conversationId, isBegun: false });
  services.background.start(() => runNext(services, conversationId));
}

/** Does not repeat a begun run: its calls may have had effects. */
export function resumeRuns(services: Services): void {
  for (const app of listApps(services.db)) {
    const ofApp = servicesOf(services, app);
    for (const waiting of listDocuments<WaitingRun>(ofApp, kind)) {
      if (waiting.isBegun) endRun(ofApp, waiting, { parts: [], failure: "The run was interrupted." });
      else services.background.start(() => runNext(ofApp, waiting.conversationId));
    }
  }
}

async function runNext(services: AppServices, conversationId: string) {
  const waiting = listDocuments<WaitingRun>(services, kind).find(
    (run) => run.conversationId === conversationId,
  );
  if (waiting === undefined || waiting.isBegun) return;
  putDocument(services, kind, waiting.messageId, { ...waiting, isBegun: true });
  try {
    const run = toRun(services, waiting);
    const isOwn = run?.agent.integrateWith !== undefined;
    endRun(services, waiting, run && (await (isOwn ? askAgent(run) : playScript(run))), run);
  } catch (error) {
    // The platform was reset or restored.
    if (error instanceof PlatformError) return;
    endRun(services, waiting, { parts: [], failure: String(error) });
  }
  services.background.start(() => runNext(services, conversationId));
}

function toRun(services: AppServices, { messageId }: WaitingRun) {
  const message = findMessage(services, messageId);
  const agent = message && findActiveAgent(services, message.receiver);
  const sender = message && findActiveUser(services, message.sender);
  if (message === undefined || agent === undefined || sender === undefined) return undefined;
  const threadId = message.parentId ?? message.conversationId;
  return { services, agent, message, sender, runId: randomUUID(), threadId };
}

function endRun(services: AppServices, waiting: WaitingRun, result: RunResult | undefined, begun?: Run) {
  services.db.transaction(() => {
    if (getDocument(services, kind, waiting.messageId) === undefined) return;
    deleteDocument(services, kind, waiting.messageId);
    const now = toRun(services, waiting);
    const speaker = now && findActiveUser(services, now.message.receiver);
    if (now === undefined || speaker === undefined || result === undefined) return;
    const run = { ...now, runId: begun?.runId ?? now.runId };
    for (const part of partsOf(services, result)) store(run, speaker, part);
    if (now.agent.integrateWith === undefined) {
      const agent = { ...now.agent, lastMessageAt: services.clock.now() };
      putDocument(services, documentKind("agent"), speaker.uid, agent);
    }
  });
}

function partsOf({ switches }: AppServices, { parts, failure }: RunResult): Part[] {
  const isShown = failure !== undefined && switches.agentFailure === "message";
  return isShown ? [...parts, { type: "assistant", text: failure }] : parts;
}

/** @see docs/internals/platform/ai-agents.md#what-a-run-leaves */
function store(run: Run, speaker: User, part: Part) {
  const { services, message, sender, runId, threadId } = run;
  const draft = {
    sender: speaker,
    recipient: { type: "user", user: sender },
    category: "agentic",
    type: part.type,
    parentId: message.parentId,
    data: { runId, threadId, ...contentOf(services, part) },
  } as const;
  return keepMessage(services, buildMessage(services, draft), undefined);
}

function contentOf(services: AppServices, part: Part): JsonObject {
  if (part.type === "tool-result") return { text: part.text, toolCallId: part.id };
  if (part.type === "assistant") {
    const text = { type: "text", value: part.text };
    const card = part.card === undefined ? [] : [{ type: "card", value: part.card }];
    return { text: part.text, elements: [text, ...card] };
  }
  const { id, name } = part;
  const { displayName, name: label = name, executionText = "" } = labelsOf(services, name);
  const call = { id, type: "function", displayName: displayName ?? label, executionText };
  return { toolCalls: [{ ...call, function: { name, arguments: part.arguments } }] };
}

function labelsOf(services: AppServices, name: string): JsonObject {
  return {
    ...(findPart(services, "byo-tool", name) ??
      findPart(services, "api-tool", name) ??
      findPart(services, "frontend-action", name)),
  };
}
