/** What a builder lets its caller choose of a block. */
export interface BlockFacts {
  /** The uid of who blocks. Default: `ann`. */
  by?: string;
  /** The uids of those who are blocked. Default: `bela` alone. */
  uids?: string[];
}

/** What can be chosen of a connection, in the words of the legacy engine. */
export interface LegacyConnectionFacts {
  /** Whose device it is. Default: `ann`. */
  uid?: string;
  /** The presence after it. Default: `online`. */
  status?: "online" | "offline";
  /** In milliseconds since 1970. */
  atMs?: number;
}

/** What can be chosen of a connection. */
export interface ConnectionFacts extends LegacyConnectionFacts {
  /** What the device runs. Default: `javascript`. */
  platform?: string;
}

/** What can be chosen of a group. */
export interface GroupFacts {
  /** Default: `chess-club`. */
  guid?: string;
  /** Default: `Chess Club`. */
  name?: string;
  /** The uid of who owns it. Default: `ann`. */
  owner?: string;
  /** The uid of who did it. Default: `ann`. */
  by?: string;
  /** In seconds since 1970. */
  at?: number;
}

/** What can be chosen of a group that has a new owner. */
export interface OwnerTransferFacts extends GroupFacts {
  /** The uid of who owned it before. Default: `ann`. */
  oldOwner?: string;
}

/** What can be chosen of members who come, go or change. */
export interface GroupMemberFacts extends GroupFacts {
  /** The uids of those whom it happens to. Default: `bela` alone. */
  uids?: string[];
}

/** What can be chosen of members whose scope changes. */
export interface ScopeChangeFacts extends GroupMemberFacts {
  /** Default: `admin`. */
  scope?: string;
  /** Default: `participant`. */
  oldScope?: string;
}
