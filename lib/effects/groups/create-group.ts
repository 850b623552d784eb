import * as z from "zod/mini";
import { lazy } from "../../base/lazy.ts";
import { checkCall } from "../../chat/check-call.ts";
import { groups } from "../../chat/resources/groups.ts";
import type { CreateGroupInput } from "../../chat/types/groups.ts";
import {
  type Created,
  type CreateOptions,
  checkCreateOptions,
  creatingEffect,
  hasFields,
} from "../creating-effect.ts";
import type { Effect } from "../effect.ts";

export interface NewGroup extends CreateGroupInput {
  /** uid of the user who creates the group, and owns it unless `owner` is set. Default: the app. */
  readonly onBehalfOf?: string;
}

/**
 * Creates a group once: its id is then taken. If an earlier attempt may have created it, a group with this id
 * and the same name, type, icon, description and owner counts as created. Otherwise a taken id is a refusal,
 * or with `ifThere: "take"` is accepted. A member who cannot be added does not fail the effect. Limits: see
 * `groups.create`. Errors: ERR_GUID_ALREADY_EXISTS, ERR_EMPTY_GROUP_PASS.
 * @see docs/internals/platform/users-and-groups.md#groups
 */
export function createGroup(created: NewGroup, options: CreateOptions = {}): Effect<Created> {
  checkCall("createGroup", "group", newGroupSchema(), created);
  checkCreateOptions("createGroup", options);
  const { onBehalfOf, ...group } = created;
  const { guid, name, type, icon, description, owner } = group;
  return creatingEffect(
    {
      kind: groups.create.id,
      id: guid,
      takenCode: "ERR_GUID_ALREADY_EXISTS",
      create: (call, limits) => call(groups.create, group, { onBehalfOf, ...limits }),
      isSame: async (call, limits) =>
        hasFields(await call(groups.get, guid, limits), {
          ...{ name, type, icon, description },
          // The platform converts ids to lower case (docs/internals/platform/ids-and-limits.md#chosen-ids).
          owner: owner?.toLowerCase(),
        }),
    },
    options,
  );
}

const newGroupSchema = /* @__PURE__ */ lazy(() =>
  z.extend(groups.create.input(), { onBehalfOf: z.optional(z.string()) }),
);
