import type { Hono } from "hono";
import * as z from "zod/mini";
import { whoActs } from "../../../cli/trigger/who-acts.ts";
import { isRecord, parseJson } from "../../../lib/base/json.ts";
import { lazy } from "../../../lib/base/lazy.ts";
import { deployedFactsSchema, factsRequest } from "../../../lib/operate/doctor/deployed-facts.ts";
import { findApp } from "../../platform/store/apps.ts";
import { createSender } from "../../platform/webhooks/send.ts";
import type { TryActors, TryCatalogue, TryDone, TryDraft, TryExamination, TrySent } from "../api/try.ts";
import { callLocalAws } from "../call-local-aws.ts";
import type { ConsoleContext } from "../console-context.ts";
import { readInput, WrongInputError } from "../read-input.ts";
import { examine } from "../try/examine.ts";
import { judgeAnswer } from "../try/judge-answer.ts";
import { type KnownEntry, listEntries } from "../try/list-entries.ts";
import { makeMissing, missingOf } from "../try/make-missing.ts";
import { type RenewOptions, renewBody, renewText } from "../try/renew.ts";
import { sendTried } from "../try/send-text.ts";

/** Delivery keys remembered as sent. */
const keptKeys = 10_000;

export function addTryRoutes(app: Hono, { world }: ConsoleContext): void {
  const known = lookUp(world);
  addBodies(app, known);
  addExaminations(app, world, known);
  addMakeMissing(app, world, known);
  addSending(app, world, known);
}

type Known = ReturnType<typeof lookUp>;

function lookUp({ platform }: ConsoleContext["world"]) {
  const entries = lazy(listEntries);
  return { entries, entryOf, appOptions };

  function entryOf(id: string): KnownEntry {
    const entry = entries().find(id);
    if (entry === undefined) throw new WrongInputError(`There is no event or question "${id}".`, 404);
    return entry;
  }

  function appOptions(appId: string): RenewOptions {
    const found = findApp(platform.services.db, appId);
    if (found === undefined) throw new WrongInputError(`The platform has no app "${appId}".`, 404);
    return { appId, region: found.region, nowMs: platform.clock.now() };
  }
}

function addBodies(app: Hono, { entries, entryOf, appOptions }: Known): void {
  app.get("/api/try/entries", (context) => context.json(entries().catalogue satisfies TryCatalogue));

  app.get("/api/try/samples/:entry/:sample", (context) => {
    const entry = entryOf(context.req.param("entry"));
    const body = entry.bodies.get(context.req.param("sample"));
    if (body === undefined) {
      throw new WrongInputError(
        `There is no sample "${context.req.param("sample")}" of ${entry.id}. There is ${[...entry.bodies.keys()].join(", ")}.`,
        404,
      );
    }
    const draft: TryDraft = { body: renewBody(body, appOptions(context.req.query("app") ?? "")) };
    return context.json(draft);
  });

  app.post("/api/try/renew", async (context) => {
    const { appId, text } = await readInput(context, renewSchema);
    const draft: TryDraft = { body: renewBody(readObject(text), appOptions(appId)) };
    return context.json(draft);
  });
}

function addExaminations(
  app: Hono,
  { platform, cloud }: ConsoleContext["world"],
  { entryOf, appOptions }: Known,
): void {
  app.post("/api/try/examine", async (context) => {
    const { appId, entry, text } = await readInput(context, textSchema);
    appOptions(appId);
    const examination: TryExamination = {
      ...examine(text, entryOf(entry), appId),
      missing: missingOf(platform.services, appId, parseJson(text)),
    };
    return context.json(examination);
  });

  app.get("/api/try/actors/:appId/:trigger", async (context) => {
    const { payload } = await cloud.invoke("doctor", factsRequest);
    const facts = deployedFactsSchema.safeParse(payload);
    if (!facts.success) {
      throw new WrongInputError("The function doctor does not report what is deployed. Check its log.", 502);
    }
    const { appId, trigger } = context.req.param();
    const actors: TryActors = { acts: whoActs(facts.data, appId, trigger) };
    return context.json(actors);
  });
}

function addMakeMissing(app: Hono, world: ConsoleContext["world"], { appOptions }: Known): void {
  app.post("/api/try/missing", async (context) => {
    const { appId, text } = await readInput(context, textSchema);
    appOptions(appId);
    const made = makeMissing(world.platform.services, appId, readObject(text));
    const done: TryDone = {
      words: made.length === 0 ? "Nothing was missing." : `Created ${made.join(", ")}.`,
    };
    return context.json(done);
  });
}

function addSending(app: Hono, world: ConsoleContext["world"], { entryOf, appOptions }: Known): void {
  const { platform, cloud } = world;
  const callAws = callLocalAws(cloud);
  const sender = lazy(createSender);
  const sentKeys = new Set<string>();
  const now = () => platform.clock.now();
  world.subscribe((news) => {
    // A restored local stack has not received them.
    if (news.kind === "record" && news.record.type === "state") sentKeys.clear();
  });

  app.post("/api/try/send", async (context) => {
    const { entry: id, ...sending } = await readInput(context, sendSchema);
    const entry = entryOf(id);
    const options = () => appOptions(sending.appId);
    options();
    const { url, results } = await sendTried(entry, sending, {
      ...{ callAws, sender: sender(), httpUrl: cloud.httpUrl, now },
      secretPrefix: cloud.outputs.SecretPrefix ?? "",
      renew: (text) => renewText(text, options()),
      noteSent,
    });
    const [first] = results;
    const sent: TrySent = {
      url,
      sent: results.map(({ isTimeout: _, ...outcome }) => ({
        ...outcome,
        answer: platform.services.redactor.value(outcome.answer),
      })),
      ...(first !== undefined &&
        entry.path !== "webhooks" && {
          verdict: judgeAnswer(
            entry.path,
            { ...first, status: first.status, error: first.error, text: first.answer },
            platform.switches,
          ),
        }),
    };
    return context.json(sent);
  });

  function noteSent(key: string): boolean {
    if (sentKeys.has(key)) return true;
    if (sentKeys.size >= keptKeys) sentKeys.clear();
    sentKeys.add(key);
    return false;
  }
}

function readObject(text: string): Readonly<Record<string, unknown>> {
  const body = parseJson(text);
  if (!isRecord(body)) throw new WrongInputError("The body is not a JSON object.");
  return body;
}

/** Slightly more than the receiver accepts, to see its refusal. */
const text = z.string().check(z.maxLength(12_000_000));
const appId = z.string().check(z.maxLength(200));
const textSchema = z.object({ appId, entry: z.string(), text });
const renewSchema = z.object({ appId, text });
const sendSchema = z.object({
  ...{ appId, entry: z.string(), text },
  signer: z.enum(["right", "wrong", "none"]),
  times: z.int().check(z.minimum(1), z.maximum(100)),
  isBurst: z.boolean(),
  isFresh: z.boolean(),
});
