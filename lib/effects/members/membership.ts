import * as z from "zod/mini";
import type { CallOperation } from "../../chat/operation.ts";
import type { GroupMember } from "../../chat/resources/members.ts";
import { members } from "../../chat/resources/members.ts";
import { textOrNone } from "../check-effect.ts";
import type { RequestLimits } from "../request-limits.ts";

export interface Membership {
  readonly guid: string;
  readonly uid: string;
  /** uid of an admin or moderator of the group. Default: the app. */
  readonly onBehalfOf?: string;
}

export const membershipShape = () => ({
  guid: z.string(),
  uid: z.string(),
  onBehalfOf: textOrNone(),
});

/** Reads the members of a group by uid. @throws what the client throws */
export async function readMembers(
  call: CallOperation,
  guid: string,
  limits: RequestLimits,
): Promise<Map<string, GroupMember>> {
  const all = await call(members.list, guid, { perPage: 1_000 }, limits).toArray({ limit: Infinity });
  return new Map(all.map((member) => [member.uid, member]));
}
