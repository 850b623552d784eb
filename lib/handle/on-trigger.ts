import { type DurationText, durationMs } from "../base/duration.ts";
import type { Log } from "../base/log.ts";
import type { Effects } from "../effects/effects.ts";
import type { States } from "../effects/state/create-states.ts";
import type { AppEvent, AppEventOf, EventName } from "../events/app-event.ts";
import { type Conditions, checkConditions, type Where, whyNotFor } from "../events/conditions/where.ts";
import { checkTrigger } from "./check-trigger.ts";
import type { PassReason } from "./pass-over.ts";
import type { TriggerChat } from "./trigger-chat.ts";

/** What a trigger is run with. */
export interface RunContext {
  readonly event: AppEvent;
  /**
   * The client of the app that the event came from, opened by the first request. For what must happen once, use `effects`.
   */
  readonly chat: TriggerChat;
  readonly effects: Effects;
  /** Gives what is remembered of a kind that `defineState` declares. */
  readonly state: States;
  /** Each line carries the app, the event's name and key, and the step. */
  readonly log: Log;
  /** Ends with the attempt: give it to what you await besides `chat` and `effects`. */
  readonly signal: AbortSignal;
  /** Milliseconds since 1970: nothing is started for this event after it. */
  readonly deadlineMs: number;
  /** How often the event was begun, this time included. */
  readonly attempt: number;
  /** Milliseconds since 1970, by the clock that tests can move. */
  readonly now: () => number;
  readonly app: EventApp;
  readonly receivedAt: Date;
  /** Milliseconds since it happened, or since it was received where that is not known. */
  readonly ageMs: number;
  /** Says that the handler leaves an event alone which it would handle otherwise: logged and counted. */
  readonly passOver: (reason: PassReason) => void;
  /** Reads the app's secret, if it can be had: what is in it shows in no line of the log. Stands before the handler. */
  readonly learnSecrets: () => Promise<void>;
}

/** The app that an event came from. */
export interface EventApp {
  readonly appId: string;
  /** `us`, `eu` or `in`, as the event says it; undefined where it does not. */
  readonly region: string | undefined;
}

/** What a trigger handler gets. */
export interface TriggerContext<Event extends AppEvent = AppEvent, Settings = unknown>
  extends Omit<RunContext, "event" | "learnSecrets"> {
  readonly event: Event;
  /** What configuration says for the event's app; undefined without `settings` among the options. */
  readonly settings: Settings;
}

interface TriggerOptions<Conditions, Settings> {
  /**
   * What events must be like to be handled; of messages, people's alone unless `from` is `anybody`. With `*`, everything is
   * handled.
   */
  readonly where?: Conditions | undefined;
  /** What happened longer ago is passed over: a text such as `1h`, or milliseconds. Default: nothing is. */
  readonly maxAge?: DurationText | number | undefined;
  /** Gives each app's settings, as `settingsFrom` makes them of a file of config/. Default: there are none. */
  readonly settings?: SettingsSource<Settings> | undefined;
  /** Gives the names that an app's settings leave of those asked for: what its webhook need tell. Default: all. */
  readonly namesOf?: ((appId: string) => readonly EventName[]) | undefined;
}

/** Settings by app. */
export interface SettingsSource<Settings> {
  /** Gives the settings of an app. */
  readonly of: (appId: string) => Settings;
}

/** A behaviour of this app, made by `onTrigger`. */
export interface Trigger {
  readonly names: readonly EventName[];
  /** Those that matter for an app, where its settings decide. Default: `names`. */
  readonly namesOf?: ((appId: string) => readonly EventName[]) | undefined;
  /** Handles an event. @param settings in place of those that it was made with */
  readonly run: (context: RunContext, settings?: SettingsSource<unknown>) => Promise<void>;
}

/** The app's triggers by name, in the order in which they run. */
export type TriggerTable = Readonly<Record<string, Trigger>>;

type Handle<Name extends EventName, Settings> = (
  context: TriggerContext<AppEventOf<Name>, Settings>,
) => Promise<void>;

/** A handler whose settings are those of the options beside it: the signatures of `onTrigger` see to that. */
type SomeHandle<Name extends EventName> = {
  handle(context: TriggerContext<AppEventOf<Name>, unknown>): Promise<void>;
}["handle"];

/**
 * Declares what happens on an event of the platform, on one of several, on a derived one, or with `*` on every event.
 * Of messages, those of people alone, unless `where` says `from: "anybody"`.
 * The handler may run several times for one event: what it does through `effects` happens once.
 * @throws RangeError for a `maxAge` that is no length of time, or a condition that nobody knows or nothing can fit,
 * InvalidInputError for an event or an option that there is not, and whatever else is wrong
 * @example onTrigger("message_sent", { where: { group: "support-*" }, maxAge: "1h" }, async ({ event, effects }) => { … })
 */
export function onTrigger<const Name extends EventName, Settings = undefined>(
  names: Name | readonly Name[],
  options: TriggerOptions<Where<Name>, Settings>,
  handle: Handle<Name, Settings>,
): Trigger;
/**
 * Declares what happens on an event of the platform, on one of several, on a derived one, or with `*` on every event.
 * Of messages, those of people alone: options between name and handler say otherwise.
 * The handler may run several times for one event: what it does through `effects` happens once. Never throws by itself.
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
    ...(namesOf !== undefined && { namesOf }),
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
        log.debug("an event does not fit what a trigger asks for", { condition, wanted });
      } else if (context.ageMs > maxAgeMs) context.passOver("too-old");
      else {
        const { learnSecrets, ...own } = context;
        await learnSecrets();
        await handle({ ...own, event, settings: given?.of(app.appId) });
      }
    },
  };
}

/** Tells whether a trigger wants an event. An unknown event is wanted by `*` alone. */
export function handles({ names }: Pick<Trigger, "names">, event: AppEvent): boolean {
  return names.some((name) => name === "*" || (event.kind !== "unknown" && event.trigger === name));
}

/** Tells whether any of the triggers wants the events of a name. */
export function isWanted(triggers: readonly Pick<Trigger, "names">[], name: EventName): boolean {
  return triggers.some(({ names }) => names.includes(name) || names.includes("*"));
}

function isList<Name>(names: Name | readonly Name[]): names is readonly Name[] {
  return Array.isArray(names);
}
