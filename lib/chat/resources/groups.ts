import * as z from "zod/mini";
import { acknowledgement, maybeFlag, maybeNumber, maybeObject, maybeText, maybeTexts } from "../answers.ts";
import type { Family } from "../operation.ts";
import {
  affix,
  ids,
  int,
  link,
  list,
  looseObject,
  metadata,
  opt,
  optional,
  pageFields,
  platformId,
  range,
  strictObject,
  tags,
  unixSeconds,
  word,
  words,
  yesNo,
} from "../schema.ts";
import { memberLists } from "./members.ts";

/** A group. Times are unix seconds. */
const groupAnswer = () =>
  looseObject({
    guid: word,
    name: maybeText,
    description: maybeText,
    icon: maybeText,
    /** `public`, `private` or `password`. */
    type: maybeText,
    /** uid, or the system user. */
    owner: maybeText,
    /** The scope of the acting user. */
    scope: maybeText,
    hasJoined: maybeFlag,
    joinedAt: maybeNumber,
    membersCount: maybeNumber,
    conversationId: maybeText,
    metadata: maybeObject,
    tags: maybeTexts,
    createdAt: maybeNumber,
    updatedAt: maybeNumber,
    updatedBy: maybeText,
  });

const groupType = () => z.enum(["public", "private", "password"]);

const profile = () =>
  optional({
    /** At most 100 characters; required if the type is `password`. */
    password: words(100),
    icon: link,
    description: words(255),
    metadata,
    owner: platformId,
    tags,
  });

const createInput = () =>
  strictObject({
    guid: platformId,
    name: words(100),
    type: groupType,
    ...profile(),
    members: opt(memberLists),
  }).check(
    z.refine((group) => group.type !== "password" || group.password !== undefined, {
      error: "given for a group of type password",
      path: ["password"],
    }),
  );

/**
 * Groups. See docs/internals/platform/users-and-groups.md#groups.
 * @example
 * await chat.groups.create({ guid: "club", name: "Club", type: "public", owner: "alice" });
 * await chat.groups.update("club", { description: "Every Tuesday" });
 * for await (const group of chat.groups.list({ searchKey: "clu" })) console.log(group.membersCount);
 */
export const groups = {
  /**
   * Creates a group, with up to 25 members; without `owner`, the acting user or the system owns it. Errors:
   * ERR_GUID_ALREADY_EXISTS (after an unclear try: done), ERR_EMPTY_GROUP_PASS; a failed member does not fail
   * the call.
   */
  create: {
    id: "create-group",
    request: "POST /groups",
    onBehalfOf: "optional",
    input: createInput,
    answer: groupAnswer,
    rateClass: "core",
  },
  /**
   * Lists groups. `hasJoined` needs `onBehalfOf`; `updatedAt` as a number is a cursor, as a range a filter
   * that excludes groups never updated. `perPage` default 100.
   */
  list: {
    id: "list-groups",
    request: "GET /groups",
    onBehalfOf: "optional",
    input: () =>
      strictObject({
        ...pageFields(),
        ...optional({
          searchKey: word,
          searchIn: z.array(z.enum(["name", "guid"])),
          sortBy: z.enum(["name", "guid", "createdAt"]),
          sortOrder: z.enum(["asc", "desc"]),
          affix,
          updatedAt: z.union([unixSeconds(), range()]),
          createdAt: range,
          withTags: yesNo,
          tags: list,
          type: groupType,
          types: z.array(groupType()),
          hasJoined: yesNo,
          guid: platformId,
          guids: ids,
          membersCount: strictObject(
            optional({
              gt: int,
              gte: int,
              lt: int,
              lte: int,
              eq: int,
            }),
          ),
        }),
      }),
    csv: ["tags", "types", "guids"],
    paged: "page",
    answer: groupAnswer,
  },
  /** Reads a group. Errors: ERR_GUID_NOT_FOUND. */
  get: { id: "get-group", request: "GET /groups/{guid}", onBehalfOf: "optional", answer: groupAnswer },
  /**
   * Changes a group; `unset` clears the given attributes, `owner` has no effect together with `onBehalfOf`.
   * Errors: ERR_GUID_NOT_FOUND, ERR_GROUP_NO_ADMIN_SCOPE.
   */
  update: {
    id: "update-group",
    request: "PUT /groups/{guid}",
    onBehalfOf: "optional",
    input: () =>
      strictObject({
        name: opt(words(100)),
        type: opt(groupType),
        ...profile(),
        unset: opt(z.array(z.enum(["icon", "description", "metadata"]))),
      }),
    answer: groupAnswer,
  },
  /** Deletes a group. Errors: ERR_GUID_NOT_FOUND (after an unclear try: done). */
  delete: {
    id: "delete-group",
    request: "DELETE /groups/{guid}",
    onBehalfOf: "optional",
    answer: acknowledgement,
  },
} as const satisfies Family;
