import type { AppAddition } from "../../platform/create-memory-platform.ts";
import { defaultSeed } from "../../platform/default-seed.ts";
import type { GroupSeed } from "../../platform/seed.ts";
import { seedOfEvent } from "../../platform/seed-of-event.ts";
import { readPlatformContents } from "../../test-platform/app-contents.ts";
import type { StoryOptions } from "../story-options.ts";

/**
 * What the events require, and every developer's app; only the first event's messages.
 * @throws SeedError as `createPlatform` does, for the contents that a test adds
 */
export function appOfStory(
  bodies: readonly object[],
  appId: string,
  contents: StoryOptions["app"] = {},
): AppAddition {
  const [{ users, groups }] = defaultSeed.apps;
  const seeds = bodies.map((body) => seedOfEvent(body, appId));
  const { region, messages = [] } = seeds[0] ?? {};
  const roles = seeds.flatMap((seed) => seed.roles);
  const known = [...seeds.flatMap((seed) => seed.users), ...users];
  const { apps } = readPlatformContents(
    { ...(region !== undefined && { region }), ...contents, appId },
    { uids: known.map(({ uid }) => uid), webhooks: 0, isAddition: false },
  );
  const [addition] = apps;
  return {
    appId,
    messages,
    ...addition,
    roles: unique("role", [...(addition?.roles ?? []), ...roles]),
    users: unique("uid", [...(addition?.users ?? []), ...known]),
    groups: joined([...groups, ...seeds.flatMap((seed) => seed.groups), ...(addition?.groups ?? [])]),
  };
}

function joined(groups: readonly GroupSeed[]): GroupSeed[] {
  const all = new Map<string, GroupSeed>();
  for (const group of groups) {
    const known = all.get(group.guid);
    all.set(group.guid, { ...known, ...group, members: { ...known?.members, ...group.members } });
  }
  return [...all.values()];
}

function unique<Key extends string, T extends Record<Key, unknown>>(key: Key, all: readonly T[]): T[] {
  return [...new Map(all.toReversed().map((one) => [one[key], one])).values()];
}
