import * as z from "zod/mini";
import { itemResults } from "../answers.ts";
import type { Family } from "../operation.ts";
import {
  importedGroup,
  importedMember,
  importedMessage,
  importedUser,
  keyedBy,
} from "./data-import-input.ts";

/**
 * Imports users, then groups, members, messages: 1–50 per call, 60 calls a minute, paced by the client. Check
 * each entity's `success`. See docs/internals/platform/import-and-metrics.md#importing.
 * @example
 * const results = await chat.dataImport.users({ users: { zoe: { uid: "zoe", name: "Zoë" } } });
 * for (const [uid, { success }] of Object.entries(results))
 *   if (!success) console.log(`${uid} is not imported.`);
 */
export const dataImport = {
  /**
   * Imports users by uid; their role must exist. Errors: ERR_IMPORT_INVALID_USER_FORMAT. The effect on an
   * existing user is not documented.
   */
  users: {
    id: "import-users",
    request: "POST /data_import/users",
    input: () => z.strictObject({ users: keyedBy("uid", importedUser()) }),
    answer: itemResults,
    rateClass: "import",
  },
  /** Imports groups by guid. Errors: ERR_IMPORT_INVALID_GROUP_FORMAT. */
  groups: {
    id: "import-groups",
    request: "POST /data_import/groups",
    input: () => z.strictObject({ groups: keyedBy("guid", importedGroup()) }),
    answer: itemResults,
    rateClass: "import",
  },
  /**
   * Imports memberships by `<guid>_member_<uid>`. Errors: ERR_IMPORT_INVALID_MEMBER_FORMAT,
   * ERR_IMPORT_INVALID_JOINEDAT.
   */
  members: {
    id: "import-members",
    request: "POST /data_import/members",
    input: () => z.strictObject({ members: keyedBy("memberId", importedMember()) }),
    answer: itemResults,
    rateClass: "import",
  },
  /**
   * Imports messages by muid with their own times. Errors: ERR_IMPORT_INVALID_MESSAGE_FORMAT. A repetition is
   * safe: a known muid fails with ERR_IMPORT_MUID_ALREADY_EXISTS.
   */
  messages: {
    id: "import-messages",
    request: "POST /data_import/messages",
    input: () => z.strictObject({ messages: keyedBy("muid", importedMessage()) }),
    answer: itemResults,
    rateClass: "import",
  },
} as const satisfies Family;
