/** A user in a group. */
export interface Membership {
  readonly guid: string;
  readonly uid: string;
  /** uid of the user who acts, an admin or moderator of the group. Default: the app acts. */
  readonly onBehalfOf?: string;
}
