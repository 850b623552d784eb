import { isRecord } from "../../../lib/base/json.ts";
import { addToApp } from "../../platform/seed.ts";
import { type EventSeed, seedOfEvent } from "../../platform/seed-of-event.ts";
import type { Services } from "../../platform/services/services.ts";
import { findGroup, findMember, isBanned } from "../../platform/store/groups.ts";
import { findMessage } from "../../platform/store/messages.ts";
import { findUser } from "../../platform/store/users.ts";

/**
 * Lists the body's references that the platform does not have: `user ann`, `group chess-club`, `message 17`.
 */
export function missingOf(services: Services, appId: string, body: unknown): readonly string[] {
  const seed = seedOf(appId, body);
  if (seed === undefined) return [];
  const { db } = services;
  return [
    ...seed.users.flatMap(({ uid }) => (findUser({ db, appId }, uid) === undefined ? [`user ${uid}`] : [])),
    ...seed.groups.flatMap(({ guid, members = {} }) => {
      if (findGroup({ db, appId }, guid) === undefined) return [`group ${guid}`];
      const outside = Object.keys(members).filter(
        (uid) =>
          findMember({ db, appId }, guid, uid) === undefined &&
          !isBanned({ db, appId }, guid, uid) &&
          findUser({ db, appId }, uid) !== undefined,
      );
      return outside.map((uid) => `${uid} as member of ${guid}`);
    }),
    ...seed.messages.flatMap(({ id }) =>
      findMessage({ db, appId }, id) === undefined ? [`message ${id}`] : [],
    ),
  ];
}

/** Creates what a body refers to, without events. May be repeated. */
export function makeMissing(services: Services, appId: string, body: unknown): readonly string[] {
  const missing = missingOf(services, appId, body);
  const seed = seedOf(appId, body);
  if (seed !== undefined) seedApp(services, seed);
  return missing;
}

export function seedApp(
  services: Services,
  seed: Pick<EventSeed, "appId"> & Partial<Omit<EventSeed, "appId">>,
): void {
  // The app exists, so its region, name and keys are not used.
  addToApp(services, { region: "us", name: seed.appId, fullAccessKey: "", authOnlyKey: "", ...seed });
}

function seedOf(appId: string, body: unknown): EventSeed | undefined {
  return isRecord(body) ? seedOfEvent(body, appId) : undefined;
}
