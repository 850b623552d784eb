import type { ChatClientBase } from "../../chat/compose.ts";
import type { ManagementClient } from "../../chat/management/management-client.ts";
import type { RequestOptions } from "../../chat/request-options.ts";

/** A resource's fields, as declared in config/app/ or shown by the platform. */
export type Fields = Readonly<Record<string, unknown>>;

/**
 * A resource as declared: a reason, a role, the app's settings. Its fields may contain references to secrets.
 */
export interface WantedThing {
  readonly kind: string;
  readonly id: string;
  readonly fields: Fields;
}

export interface AbsentThing {
  readonly kind: string;
  readonly id: string;
}

export interface FoundThing {
  readonly id: string;
  readonly fields: Fields;
  /** The platform created it, and it is unchanged since. */
  readonly isUntouched?: boolean;
}

/** How a field is compared and written. */
export interface FieldRule {
  /** The platform may not show it: a missing value proves nothing. */
  readonly isSilent?: boolean;
  /** Written at creation; later only on a request to write fields that cannot be compared. */
  readonly isOnce?: boolean;
  /**
   * What a list's items mean. `set`: their order does not matter. `members`: neither does it, and each is
   * added and removed by its own request. Default: the order matters.
   */
  readonly list?: "set" | "members";
}

export interface AppApis {
  readonly appId: string;
  readonly chat: Pick<ChatClientBase, "call">;
  /** Undefined if the management credentials may not be read. */
  readonly management: ManagementClient | undefined;
  readonly request: Pick<RequestOptions, "deadlineMs" | "signal">;
}

/** A kind of resource: how it is compared, read and written. */
export interface Kind {
  /** As plans name it: `role`, `moderation rule`. */
  readonly name: string;
  readonly rules: Readonly<Record<string, FieldRule>>;
  /** The rule of fields that are not in `rules`. */
  readonly otherRule?: FieldRule;
  readonly required?: readonly string[];
  /** Its fields may contain references to secrets. */
  readonly hasSecrets?: boolean;
  /** Undefined if the app's own key is not sufficient and no other credentials exist. */
  readonly connect: (apis: AppApis) => KindCalls | undefined;
}

/** The requests for one kind in one app. Each throws what the client throws; each may be repeated. */
export interface KindCalls {
  /** Reads all existing resources or, if each takes a request, the named ones. */
  readonly list: (ids: readonly string[] | "all") => Promise<readonly FoundThing[]>;
  /** Reads one resource; undefined if it does not exist. */
  readonly find: (id: string) => Promise<FoundThing | undefined>;
  readonly create: (id: string, target: Fields) => Promise<void>;
  /** Writes fields of a resource that was read as `found`. */
  readonly change: (id: string, target: Fields, found: FoundThing) => Promise<void>;
  /** Undefined if resources of the kind cannot be deleted. */
  readonly remove?: (id: string) => Promise<void>;
}

/** What is allowed besides creating and changing declared resources. */
export interface PlanSwitches {
  /** Deletes resources that are declared absent, and undeclared members of lists. */
  readonly mayDelete: boolean;
  /** Also writes declared fields that cannot be compared. */
  readonly writesUnknown: boolean;
}
