import * as z from "zod/mini";
import { acknowledgement, itemResults, maybe, maybeNumber, maybeText, record } from "../answers.ts";
import { list, optional } from "../fields.ts";
import type { Family } from "../operation.ts";
import { atLeastOne } from "../schema.ts";

/**
 * People with access to an app's dashboard. See docs/internals/platform/management.md#team.
 * @example
 * await management.team.change(appId, { admins: ["zoe@example.com"] });
 * for await (const { email, role } of management.team.list(appId)) console.log(email, role);
 */
export const team = {
  /** Lists them. One page. */
  list: {
    id: "list-collaborators",
    request: "GET /apps/{appId}/collaborators",
    paged: "once",
    answer: () =>
      z.looseObject({
        id: maybeText(),
        name: maybeText(),
        email: maybeText(),
        role: maybeText(),
        createdAt: maybeNumber(),
      }),
  },
  /** Adds and removes people by e-mail; check each one's `success`. Harmless if repeated. */
  change: {
    id: "add-collaborator",
    request: "POST /apps/{appId}/collaborators",
    input: () =>
      atLeastOne(
        z.strictObject(
          optional({
            admins: list(),
            moderators: list(),
            collaboratorsToRemove: list(),
          }),
        ),
      ),
    answer: () =>
      z.looseObject({
        admins: maybe(itemResults()),
        moderators: maybe(itemResults()),
        collaboratorsToRemove: maybe(itemResults()),
      }),
  },
} as const satisfies Family;

/**
 * Settings of an app by dotted keys, such as `core.conversations.updateOnReplies`.
 * @see docs/internals/platform/management.md#settings
 * @example
 * await management.appSettings.set(appId, { settings: { "core.conversations.updateOnReplies": false } });
 * const settings = await management.appSettings.get(appId);
 */
export const appSettings = {
  /** Reads all settings. */
  get: { id: "list-settings", request: "GET /apps/{appId}/settings", answer: record },
  /** Sets the given keys; check each key's `success`. Harmless if repeated. */
  set: {
    id: "map-settings",
    request: "POST /apps/{appId}/settings",
    input: () =>
      z.strictObject({
        settings: z.record(z.string(), z.union([z.boolean(), z.array(z.string())])),
      }),
    answer: itemResults,
  },
  /** Unsets settings; which ones is not documented. */
  unset: { id: "unmap-settings", request: "DELETE /apps/{appId}/settings", answer: acknowledgement },
} as const satisfies Family;
