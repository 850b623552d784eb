import * as z from "zod/mini";
import { textOrNone } from "../check-effect.ts";

/** A user in a group. */
export interface Membership {
  readonly guid: string;
  readonly uid: string;
  /** uid of the user who acts, an admin or moderator of the group. Default: the app acts. */
  readonly onBehalfOf?: string;
}

/** Makes the schemas of the fields of a membership. */
export const membershipShape = () => ({
  guid: z.string(),
  uid: z.string(),
  onBehalfOf: textOrNone(),
});
