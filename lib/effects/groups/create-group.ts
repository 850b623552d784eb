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

/** A group to create, with up to 25 members. */
export interface NewGroup extends CreateGroupInput {
  /** uid of the user who creates, and owns it unless `owner` does. Default: the app creates. */
  readonly onBehalfOf?: string;
}

/**
 * Creates a group. Once: its id is taken afterwards. Where an earlier attempt may have created it, a group of this id with the
 * same name, type, icon, description and owner counts as created; otherwise a taken id is a refusal, or with
 * `ifThere: "take"` serves as well. A member who cannot be added fails nothing. Limits as `groups.create` says. Errors:
 * ERR_GUID_ALREADY_EXISTS, ERR_EMPTY_GROUP_PASS.
 * @see docs/platform/users-and-groups.md#groups
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
          // The platform lowers ids (docs/platform/ids-and-limits.md#chosen-ids).
          owner: owner?.toLowerCase(),
        }),
    },
    options,
  );
}

const newGroupSchema = /* @__PURE__ */ lazy(() =>
  z.extend(groups.create.input(), { onBehalfOf: z.optional(z.string()) }),
);
