import { isRecord } from "../../../lib/base/json.ts";
import { addToApp } from "../../platform/seed.ts";
import { type EventSeed, seedOfEvent } from "../../platform/seed-of-event.ts";
import type { Services } from "../../platform/services/services.ts";
import { findGroup, findMember, isBanned } from "../../platform/store/groups.ts";
import { findMessage } from "../../platform/store/messages.ts";
import { findUser } from "../../platform/store/users.ts";

/**
 * Lists the body's references that the platform does not have: `user ann`, `group chess-club`, `message 17`.
 * Not by its API: the page asks after each edit, and the requests would fill the list of calls.
 */
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

/** Creates what a body refers to, without events. May be repeated. */
export function makeMissing(services: Services, appId: string, body: unknown): readonly string[] {
  const missing = missingOf(services, appId, body);
  if (isRecord(body)) seedApp(services, seedOfEvent(body, appId));
  return missing;
}

export function seedApp(services: Services, seed: Partial<EventSeed> & Pick<EventSeed, "appId">): void {
  // The app exists, so its region, name and keys are not used.
  addToApp(services, { region: "us", name: seed.appId, fullAccessKey: "", authOnlyKey: "", ...seed });
}
