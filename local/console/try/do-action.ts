import { isRecord, parseJson } from "../../../lib/base/json.ts";
import { addToApp } from "../../platform/seed.ts";
import { type EventSeed, seedOfEvent } from "../../platform/seed-of-event.ts";
import type { Services } from "../../platform/services/services.ts";
import {
  deleteBan,
  deleteMember,
  findGroup,
  findMember,
  isBanned,
  type MemberScope,
} from "../../platform/store/groups.ts";
import { findMessage, type Message } from "../../platform/store/messages.ts";
import { findUser } from "../../platform/store/users.ts";
import type { LocalStack } from "../../stack/local-stack.ts";
import { accessTo, fetchPlatform } from "../ask-platform.ts";
import { WrongInputError } from "../read-input.ts";
import { textAt } from "../read-value.ts";

export type Values = Readonly<Record<string, string>>;

export interface ActionContext {
  readonly data: Readonly<Record<string, unknown>>;
  /**
   * Sends a request line, such as `DELETE groups/{guid}/members/{uid} as by`, with its names' values. CLIENT:
   * what a user does through a client library. `or app`: the app does it if the user may not. A line that
   * begins with `?` may be refused.
   * @throws WrongInputError with the platform's answer unless it succeeds
   */
  ask(line: string, values: Values, body?: object): Promise<unknown>;
  /** Creates what does not exist, without an event. */
  seed(more: Partial<EventSeed>): void;
  /** Restores a user's earlier membership, without an event. */
  placeMember(guid: string, uid: string, where: MemberPlace): void;
}

export type MemberPlace = MemberScope | "outside" | "banned";

const linePattern = /^(\??)([A-Z]+) (\S+)(?: as (\w+)( or app)?)?$/;

/** Connects an action to the platform, and creates its event's users and messages. */
export function createActionContext(
  localStack: LocalStack,
  appId: string,
  body: Readonly<Record<string, unknown>>,
): ActionContext {
  const { platform } = localStack;
  const { services } = platform;
  const { base, apiKey } = accessTo(localStack, appId);
  const seed = (more: Partial<EventSeed>) => seedApp(services, { ...more, appId });
  const { users, roles, messages, groups } = seedOfEvent(body, appId);
  const isNewMessage = body.trigger === "message_sent";
  const named = [...users, ...usersOfCalls.map((uid) => ({ uid, name: uid }))];
  seed({ users: named, roles, messages: isNewMessage ? [] : messages.map(beforeIt) });
  // A member after the event must not be one before.
  if (isNewMessage || messages.length > 0 || body.trigger === "group_updated") seed({ groups });

  const send = async (method: string, path: string, user: string, sent: object): Promise<unknown> => {
    const isClient = method === "CLIENT";
    const url = isClient ? `${platform.url}/_platform/apps/${encodeURIComponent(appId)}` : base;
    const named = user !== "" && { [isClient ? "uid" : "onBehalfOf"]: user };
    const response = await fetchPlatform(`${url}/${path}`, {
      method: isClient ? "POST" : method,
      headers: { "content-type": "application/json", apikey: apiKey, ...(!isClient && named) },
      ...(method !== "GET" && { body: JSON.stringify({ ...(isClient && named), ...sent }) }),
    });
    const answer = parseJson(await response.text());
    if (response.ok) return answer;
    const why = textAt(answer, "error.message") || `status ${response.status}`;
    throw new WrongInputError(`The platform refused it: ${why}`, 409);
  };
  return {
    data: isRecord(body.data) ? body.data : {},
    seed,
    async ask(line, values, sent = {}) {
      const [, mark, method = "", path = "", role = "", orApp] = linePattern.exec(line) ?? [];
      const filled = path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(values[name] ?? ""));
      const asked = send(method, filled, values[role] ?? "", sent);
      if (orApp !== undefined) return asked.catch(() => send(method, filled, "", sent));
      return mark === "" ? asked : asked.catch(() => undefined);
    },
    placeMember(guid, uid, where) {
      const app = { db: services.db, appId };
      deleteMember(app, guid, uid);
      deleteBan(app, guid, uid);
      const members = where === "outside" || where === "banned" ? {} : { [uid]: where };
      seed({ groups: [{ guid, name: guid, members, banned: where === "banned" ? [uid] : [] }] });
    },
  };
}

function beforeIt(message: Message): Message {
  const { deletedAt: _, deletedBy: _by, pinnedAt: _pinned, pinnedBy: _pinner, ...before } = message;
  return before;
}

/** Session samples have no uid. */
const usersOfCalls = ["ann", "bela"];

/** Returns texts such as `user ann`. Reads the database: API calls at each edit would fill the calls. */
export function missingOf({ db }: Services, appId: string, body: unknown): readonly string[] {
  if (!isRecord(body)) return [];
  const app = { db, appId };
  const { users, groups, messages } = seedOfEvent(body, appId);
  const lacks = (found: unknown, words: string) => (found === undefined ? [words] : []);
  return [
    ...users.flatMap(({ uid }) => lacks(findUser(app, uid), `user ${uid}`)),
    ...groups.flatMap(({ guid, members = {} }) => {
      if (findGroup(app, guid) === undefined) return [`group ${guid}`];
      const able = Object.keys(members).filter((uid) => !isBanned(app, guid, uid) && findUser(app, uid));
      return able.flatMap((uid) => lacks(findMember(app, guid, uid), `${uid} as member of ${guid}`));
    }),
    ...messages.flatMap(({ id }) => lacks(findMessage(app, id), `message ${id}`)),
  ];
}

/** Without events. Repeatable. */
export function makeMissing(services: Services, appId: string, body: unknown): readonly string[] {
  const missing = missingOf(services, appId, body);
  if (isRecord(body)) seedApp(services, seedOfEvent(body, appId));
  return missing;
}

function seedApp(services: Services, seed: Partial<EventSeed> & Pick<EventSeed, "appId">) {
  // The app exists: its region, name and keys are not used.
  addToApp(services, { region: "us", name: seed.appId, fullAccessKey: "", authOnlyKey: "", ...seed });
}
