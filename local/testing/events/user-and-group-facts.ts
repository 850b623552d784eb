/** The options of a block. */
export interface BlockFacts {
  /** The blocking user's uid. Default: `ann`. */
  by?: string;
  /** The blocked users' uids. Default: only `bela`. */
  uids?: string[];
}

/** The options of a connection in the legacy engine. */
export interface LegacyConnectionFacts {
  /** The user of the device. Default: `ann`. */
  uid?: string;
  /** The new presence. Default: `online`. */
  status?: "online" | "offline";
  /** Milliseconds since 1970. */
  atMs?: number;
}

/** The options of a connection. */
export interface ConnectionFacts extends LegacyConnectionFacts {
  /** The device's platform. Default: `javascript`. */
  platform?: string;
}

/** The options of a group. */
export interface GroupFacts {
  /** Default: `chess-club`. */
  guid?: string;
  /** Default: `Chess Club`. */
  name?: string;
  /** The owner's uid. Default: `ann`. */
  owner?: string;
  /** The actor's uid. Default: `ann`. */
  by?: string;
  /** Seconds since 1970. */
  at?: number;
}

/** The options of a group with a new owner. */
export interface OwnerTransferFacts extends GroupFacts {
  /** The previous owner's uid. Default: `ann`. */
  oldOwner?: string;
}

/** The options of members who join, leave or change. */
export interface GroupMemberFacts extends GroupFacts {
  /** The members' uids. Default: only `bela`. */
  uids?: string[];
}

/** The options of members whose scope changes. */
export interface ScopeChangeFacts extends GroupMemberFacts {
  /** Default: `admin`. */
  scope?: string;
  /** Default: `participant`. */
  oldScope?: string;
}
