import { type DurationText, durationMs } from "../base/config-fields.ts";
import type { Count } from "../base/count-metric.ts";
import { isRecord } from "../base/json.ts";
import type { Log, LogFields } from "../base/log.ts";
import { checkOptionNames, readPlainly } from "../chat/check-plain.ts";
import type { ChatClientWith } from "../chat/compose.ts";
import { InvalidInputError } from "../chat/errors.ts";
import { messages } from "../chat/resources/messages.ts";
import { users } from "../chat/resources/users.ts";
import type { MessagesClient } from "../chat/types/messages.ts";
import type { UsersClient } from "../chat/types/users.ts";
import type { Effects } from "../effects/effects.ts";
import type { AttachmentsOptions } from "../effects/http/attachments.ts";
import { type OutcomeFacts, outcomeFields } from "../effects/outcomes.ts";
import type { States } from "../effects/state/create-states.ts";
import { type AppEvent, type AppEventOf, type EventName, isEventName } from "../events/app-event.ts";
import { type Conditions, checkConditions, type Where, whyNotFor } from "../events/conditions/where.ts";
import { suggestTrigger } from "../events/suggest-trigger.ts";

/** The families of the client for trigger handlers. Others are not in the bundle. */
export const triggerFamilies = { messages, users };

/** The client for trigger handlers. */
export type TriggerChat = ChatClientWith<{
  readonly messages: MessagesClient;
  readonly users: UsersClient;
}>;

export interface RunContext {
  readonly event: AppEvent;
  /**
   * The client of the event's app. It connects at the first request. For work that must happen once, use
   * `effects`.
   */
  readonly chat: TriggerChat;
  readonly effects: Effects;
  /** Opens the state of a kind that `defineState` declares. */
  readonly state: States;
  /**
   * Returns what `createAttachments` needs to open files of the app's messages. Reads the app's secret.
   * @throws what reading the secret throws: the event waits
   * @example createAttachments(await files())
   */
  readonly files: () => Promise<AttachmentsOptions>;
  /** Each line contains the app, the event's name and key, and the step. */
  readonly log: Log;
  /** Aborted when the attempt ends. Pass it to work other than `chat` and `effects`. */
  readonly signal: AbortSignal;
  /** Milliseconds since 1970. Nothing is started after it. */
  readonly deadlineMs: number;
  /** The number of attempts, including this one. */
  readonly attempt: number;
  /** Milliseconds since 1970, by the clock that tests can set. */
  readonly now: () => number;
  readonly app: EventApp;
  readonly receivedAt: Date;
  /** Milliseconds since the event happened, or since its receipt if that is not known. */
  readonly ageMs: number;
  /**
   * Records that the handler skips an event that it would otherwise handle. If it became too old only while
   * it waited here, it is kept as a dead letter.
   * @param maxAgeMs the exceeded limit of a `too-old` event; without it, half its age must be time here
   */
  readonly passOver: (reason: PassReason, maxAgeMs?: number) => void;
  /** Records why the handler has nothing to do. */
  readonly leave: (outcome: "condition" | "no-action", facts: OutcomeFacts) => void;
  /** Removes the app's secret values from log lines. Called before the handler. */
  readonly learnSecrets: () => Promise<void>;
}

/** The app of an event. */
export interface EventApp {
  readonly appId: string;
  /** `us`, `eu` or `in`; undefined if the event does not contain it. */
  readonly region: string | undefined;
}

/** A trigger handler's argument. */
export interface TriggerContext<Event extends AppEvent = AppEvent, Settings = unknown>
  extends Omit<RunContext, "event" | "learnSecrets" | "leave"> {
  readonly event: Event;
  /** The configuration of the event's app; undefined without the option `settings`. */
  readonly settings: Settings;
  /**
   * Records why there is nothing to do, for `trace`, the console and the log. Use ids, not texts of messages.
   * @example explain("the on-call list is empty")
   */
  readonly explain: (why: string) => void;
}

interface TriggerOptions<Wanted, Settings> {
  /**
   * Conditions on events. Only messages of people match, unless `from` is `anybody`. With `*`, all events
   * match.
   */
  readonly where?: Wanted | undefined;
  /** Skips older events: a text such as `1h`, or milliseconds. Default: no limit. */
  readonly maxAge?: DurationText | number | undefined;
  /** Settings by app, as `settingsFrom` reads them from a file of config/. Default: none. */
  readonly settings?: SettingsSource<Settings> | undefined;
  /** Returns the events that an app's settings need, so that its webhook can omit others. Default: all. */
  readonly namesOf?: ((appId: string) => readonly EventName[]) | undefined;
}

/** Settings by app. */
export interface SettingsSource<Settings> {
  /** Returns an app's settings. */
  readonly of: (appId: string) => Settings;
}

/** A behavior of this app, made by `onTrigger`. */
export interface Trigger {
  readonly names: readonly EventName[];
  /** Returns the events that an app's settings need. Default: `names`. */
  readonly namesOf?: ((appId: string) => readonly EventName[]) | undefined;
  /** Handles an event. @param settings replaces those that it was created with */
  readonly run: (context: RunContext, settings?: SettingsSource<unknown>) => Promise<void>;
}

/** Triggers by name, in the order in which they run. */
export type TriggerTable = Readonly<Record<string, Trigger>>;

type Handle<Name extends EventName, Settings> = (
  context: TriggerContext<AppEventOf<Name>, Settings>,
) => Promise<void>;

/** A handler whose settings `onTrigger` has matched. */
type SomeHandle<Name extends EventName> = {
  handle(context: TriggerContext<AppEventOf<Name>, unknown>): Promise<void>;
}["handle"];

/**
 * Declares a handler for one or several events of the platform, a derived event, or with `*` every event.
 * Handles only people's messages unless `where` has `from: "anybody"`. The handler may run several times for
 * one event: its `effects` happen once.
 * @throws RangeError for an invalid `maxAge`, or an unknown or unsatisfiable condition, InvalidInputError for
 * anything else that is unknown or invalid
 * @example onTrigger("message_sent", { where: { group: "support-*" }, maxAge: "1h" }, async ({ event, effects
 * }) => { … })
 */
export function onTrigger<const Name extends EventName, Settings = undefined>(
  names: Name | readonly Name[],
  options: TriggerOptions<Where<Name>, Settings>,
  handle: Handle<Name, Settings>,
): Trigger;
/**
 * Declares a handler as above. Handles only people's messages, unless options between name and handler change
 * that. @throws InvalidInputError
 * @example onTrigger("group_member_joined", async ({ event, effects }) => { … })
 */
export function onTrigger<const Name extends EventName>(
  names: Name | readonly Name[],
  handle: Handle<Name, undefined>,
): Trigger;
export function onTrigger<const Name extends EventName>(
  names: Name | readonly Name[],
  ...rest: readonly [TriggerOptions<Conditions, unknown>, SomeHandle<Name>] | readonly [SomeHandle<Name>]
): Trigger {
  checkTrigger(names, rest);
  const [{ where: asked, maxAge, settings, namesOf }, handle] = rest.length === 1 ? [{}, rest[0]] : rest;
  const maxAgeMs = typeof maxAge === "string" ? durationMs(maxAge) : (maxAge ?? Number.POSITIVE_INFINITY);
  if (!(maxAgeMs > 0)) throw new RangeError(`maxAge is ${maxAgeMs}: it must be above 0 milliseconds.`);
  const trigger: Omit<Trigger, "run"> = {
    names: isList(names) ? names : [names],
    namesOf,
  };
  const where: Conditions = { ...(trigger.names.includes("*") && { from: "anybody" }), ...asked };
  checkConditions(where);
  const isMine = (event: AppEvent): event is AppEventOf<Name> => handles(trigger, event);
  return {
    ...trigger,
    run: async (context, given = settings) => {
      const { event, app, effects, log } = context;
      if (!isMine(event)) return;
      const condition = await whyNotFor(event, where, effects.isOwn);
      if (condition !== undefined) {
        const wanted = Object.entries(where).find(([name]) => name === condition)?.[1];
        context.leave("condition", { condition, wanted });
        log.debug("an event does not fit what a trigger asks for", { condition, wanted });
      } else if (context.ageMs > maxAgeMs) context.passOver("too-old", maxAgeMs);
      else {
        const { learnSecrets, leave, ...own } = context;
        await learnSecrets();
        const explain = (cause: string) => leave("no-action", { cause: String(cause) });
        await handle({ ...own, event, explain, settings: given?.of(app.appId) });
      }
    },
  };
}

/** Only `*` handles unknown events. */
export function handles({ names }: Pick<Trigger, "names">, event: AppEvent): boolean {
  return names.some((name) => name === "*" || (event.kind !== "unknown" && event.trigger === name));
}

export function isWanted(triggers: readonly Pick<Trigger, "names">[], name: EventName): boolean {
  return triggers.some(({ names }) => names.includes(name) || names.includes("*"));
}

function isList<Name>(names: Name | readonly Name[]): names is readonly Name[] {
  return Array.isArray(names);
}

/**
 * Checks what a table's type cannot: an unknown event would never arrive, and a misspelled option would be
 * ignored.
 * @throws InvalidInputError
 */
export function checkTrigger(names: unknown, rest: readonly unknown[]): void {
  readPlainly("onTrigger", "options", () => {
    for (const name of Array.isArray(names) ? names : [names]) {
      if (isEventName(name)) continue;
      const meant = typeof name === "string" ? suggestTrigger(name)?.reason : undefined;
      throw wrong(
        "names",
        `of events that docs/events.md has${meant === undefined ? "" : `. ${meant.replace(/\.$/, "")}`}`,
        name,
      );
    }
    const [options, handle] = rest.length < 2 ? [{}, rest[0]] : rest;
    if (!isRecord(options)) throw wrong("options", "an object", options);
    checkOptionNames("onTrigger", ["where", "maxAge", "settings", "namesOf"], options);
    const { where = {}, maxAge = 0, settings, namesOf = wrong } = options;
    if (!isRecord(where)) throw wrong("where", "conditions by their names", where);
    JSON.stringify(where);
    if (!/string|number/.test(typeof maxAge)) throw wrong("maxAge", "such as 1h, or milliseconds", maxAge);
    if (settings !== undefined) checkSettings("onTrigger", settings);
    for (const [name, called] of Object.entries({ namesOf, handle }))
      if (typeof called !== "function") throw wrong(name, "a function", called);
  });
}

export function checkSettings(call: string, settings: unknown): void {
  readPlainly(call, "settings", () => {
    if (typeof Object(settings).of === "function") return;
    throw new InvalidInputError(call, "settings", "what settingsFrom makes", settings === undefined);
  });
}

function wrong(argument: string, rule: string, value?: unknown): InvalidInputError {
  return new InvalidInputError("onTrigger", argument, rule, value === undefined);
}

/** Why a trigger skips an event. It is a metric's dimension, so there are few. */
export type PassReason =
  /** This system or the platform wrote the message. */
  | "own-message"
  /** The conversation had too many recent automatic answers. */
  | "answer-limit"
  /** One user blocked the other. */
  | "blocked"
  /** It happened too long ago. */
  | "too-old"
  /** The message is not a person's. */
  | "category"
  /** Moderation blocked the message. */
  | "moderation";

export function passOver(
  fields: LogFields & { readonly appId: string },
  triggerName: string,
  reason: PassReason,
  { log, count }: { readonly log: Log; readonly count: Count },
): void {
  log.info("passed an event over", {
    ...fields,
    passedOverBy: triggerName,
    reason,
    ...outcomeFields(reason),
  });
  count("EventPassedOver", { appId: fields.appId, trigger: triggerName, reason });
}
