import * as z from "zod/mini";
import { isRecord, parseJson } from "../../../lib/base/json.ts";
import { lazy } from "../../../lib/base/lazy.ts";
import {
  readBeforeMessage,
  readModerationQuestion,
  UnreadableQuestionError,
} from "../../../lib/endpoints/questions/question.ts";
import { identify } from "../../../lib/events/identity.ts";
import { parseEvent } from "../../../lib/events/parse-event.ts";
import { deployedFactsSchema, factsRequest } from "../../../lib/operate/doctor/deployed-facts.ts";
import { actorsOf } from "../../../lib/operate/doctor/failed-triggers.ts";
import type { TryActors, TryDone, TryDraft, TryExamination } from "../api/try.ts";
import { appOf } from "../ask-platform.ts";
import type { ConsoleContext } from "../console-context.ts";
import { must, readInput, WrongInputError } from "../read-input.ts";
import { createActionContext, makeMissing, missingOf } from "../try/do-action.ts";
import { type KnownEntry, listEntries, vary } from "../try/list-entries.ts";
import { doAction } from "../try/platform-actions.ts";
import {
  aBody,
  anAppId,
  createTrySender,
  type RenewOptions,
  renewBody,
  sendingSchema,
} from "../try/send-text.ts";

export function addTryRoutes({ on, localStack, operator }: ConsoleContext): void {
  const entries = lazy(listEntries);
  const entryOf = (id: string) => must(entries().find(id), `There is no event or question "${id}".`);
  const optionsOf = (wanted: string): RenewOptions => {
    const { appId, region } = appOf(localStack, wanted);
    return { appId, region, nowMs: platform.clock.now() };
  };
  const { platform, cloud } = localStack;
  const send = createTrySender(localStack, operator.services.callAws);

  on.get("/api/try/entries", () => entries().catalogue);
  on.get("/api/try/samples/:entry/:sample", (context) => {
    const { entry: id, sample } = context.req.param();
    const { bodies } = entryOf(id);
    const known = [...bodies.keys()].join(", ");
    const body = must(bodies.get(sample), `There is no sample "${sample}" of ${id}. Its samples: ${known}.`);
    return { body: renewBody(body, optionsOf(context.req.query("app") ?? "")) } satisfies TryDraft;
  });
  on.post("/api/try/renew", async (context) => {
    const { appId: wanted, text: body } = await readInput(context, renewSchema);
    return { body: renewBody(readObject(body), optionsOf(wanted)) } satisfies TryDraft;
  });
  on.post("/api/try/vary", async (context) => {
    const { text: body, variation } = await readInput(context, varySchema);
    const varied = vary(readObject(body), variation);
    return { body: must(varied, `There is no variation "${variation}".`, 400) } satisfies TryDraft;
  });
  on.post("/api/try/examine", async (context) => {
    const { entry, text: body, ...asked } = await readInput(context, textSchema);
    const { appId: id } = appOf(localStack, asked.appId);
    const missing = missingOf(platform.services, id, parseJson(body));
    return { ...examine(body, entryOf(entry), id), missing } satisfies TryExamination;
  });
  on.get("/api/try/actors/:appId/:trigger", async (context) => {
    const { payload } = await cloud.invoke("doctor", factsRequest);
    const facts = deployedFactsSchema.safeParse(payload);
    if (!facts.success)
      throw new WrongInputError("The function doctor does not report what is deployed. Check its log.", 502);
    const { appId: id, trigger } = context.req.param();
    return { acts: actorsOf(trigger, id, facts.data) } satisfies TryActors;
  });
  on.post("/api/try/missing", async (context) => {
    const { text: body, ...asked } = await readInput(context, textSchema);
    const made = makeMissing(platform.services, appOf(localStack, asked.appId).appId, readObject(body));
    const words = made.length === 0 ? "Nothing was missing." : `Created ${made.join(", ")}.`;
    return { words } satisfies TryDone;
  });
  on.post("/api/try/action", async (context) => {
    const { appId: id, entry, text: body } = await readInput(context, textSchema);
    const { action, trigger } = entryOf(entry);
    const words = must(action, `The console has no action that causes ${entry}.`, 400);
    await doAction(trigger, createActionContext(localStack, id, readObject(body)));
    return { words: `The platform was asked to ${words}.` } satisfies TryDone;
  });
  on.post("/api/try/send", async (context) => {
    const sending = await readInput(context, sendingSchema);
    appOf(localStack, sending.appId);
    return await send(entryOf(sending.entry), sending, () => optionsOf(sending.appId));
  });
}

function readObject(body: string): Readonly<Record<string, unknown>> {
  const read = parseJson(body);
  if (!isRecord(read)) throw new WrongInputError("The body is not a JSON object.");
  return read;
}

const textSchema = z.object({ appId: anAppId, entry: z.string(), text: aBody });
const renewSchema = z.object({ appId: anAppId, text: aBody });
const varySchema = z.object({ text: aBody, variation: z.string() });

/** Returns what the deployed code would do with a text, without sending it. */
function examine(text: string, { path }: KnownEntry, appId: string): Examined {
  const body = parseJson(text);
  if (body === undefined && text.trim() !== "null") return refuse("It is not JSON.");
  if (path !== "webhooks") return examineQuestion(body, path);
  const identity = identify(body, appId);
  if (identity === undefined) return refuse("It has no trigger of 1 to 128 characters.");
  const parsed = parseEvent(body, { appId });
  const problems = parsed.ok ? [] : parsed.problems;
  return {
    trigger: identity.trigger,
    problems: problems.map(({ path: at, expected, found }) => {
      return { path: at, words: `${expected}, not ${found}` };
    }),
  };
}

type Examined = Omit<TryExamination, "missing">;

function examineQuestion(body: unknown, path: "before-message" | "moderation"): Examined {
  try {
    if (path === "moderation") readModerationQuestion(body);
    else readBeforeMessage(body);
    return { problems: [] };
  } catch (error) {
    if (!(error instanceof UnreadableQuestionError)) throw error;
    return refuse(error.message);
  }
}

function refuse(words: string): Examined {
  return { problems: [{ path: "", words }] };
}
