import type { ChatClientBase } from "../../chat/compose.ts";
import type { ManagementClient } from "../../chat/management/management-client.ts";
import type { RequestOptions } from "../../chat/request-options.ts";

/** What the files of config/app/ say of one thing, or what the platform shows of it, by field. */
export type Fields = Readonly<Record<string, unknown>>;

/** A thing as declared: a reason, a role, the app's settings. Its fields may hold references to secrets. */
export interface WantedThing {
  readonly kind: string;
  readonly id: string;
  readonly fields: Fields;
}

/** A thing that is declared not to be there. */
export interface AbsentThing {
  readonly kind: string;
  readonly id: string;
}

/** A thing as the platform shows it. */
export interface FoundThing {
  readonly id: string;
  readonly fields: Fields;
  /** The platform brought it along, and nobody has changed it since. */
  readonly isUntouched?: boolean;
}

/** How a field is compared and written. */
export interface FieldRule {
  /** The platform may not show it: that it is missing says nothing about what it is. */
  readonly isSilent?: boolean;
  /** Written when the thing is made; later only when somebody asks for what cannot be compared to be written, too. */
  readonly isOnce?: boolean;
  /**
   * What a list's items mean. `set`: their order says nothing. `members`: neither does it, and each is added and removed by
   * a request of its own. Otherwise the order counts.
   */
  readonly list?: "set" | "members";
}

/** How to reach one app. */
export interface AppApis {
  readonly appId: string;
  readonly chat: Pick<ChatClientBase, "call">;
  /** Undefined where nobody may read the management credentials. */
  readonly management: ManagementClient | undefined;
  /** What every request is sent with. */
  readonly request: Pick<RequestOptions, "deadlineMs" | "signal">;
}

/** Things of one sort: how they are compared, read and written. */
export interface Kind {
  /** As plans name it: `role`, `moderation rule`. */
  readonly name: string;
  readonly rules: Readonly<Record<string, FieldRule>>;
  /** The rule of fields that `rules` does not name. */
  readonly otherRule?: FieldRule;
  /** Without these fields none can be made. */
  readonly required?: readonly string[];
  /** Its fields may hold references to secrets. */
  readonly hasSecrets?: boolean;
  /** Undefined where the app's own key is not enough, and there is nothing else. */
  readonly connect: (apis: AppApis) => KindCalls | undefined;
}

/** The requests of one kind in one app. Each throws what the client throws; each may be repeated. */
export interface KindCalls {
  /** Reads what is there: everything, or, where that takes a request for each, the things that are named. */
  readonly list: (ids: readonly string[] | "all") => Promise<readonly FoundThing[]>;
  /** Reads one thing; undefined if it is not there. */
  readonly find: (id: string) => Promise<FoundThing | undefined>;
  readonly create: (id: string, target: Fields) => Promise<void>;
  /** Writes fields of a thing that was found as `found`. */
  readonly change: (id: string, target: Fields, found: FoundThing) => Promise<void>;
  /** Undefined where things of the kind cannot be deleted. */
  readonly remove?: (id: string) => Promise<void>;
}

/** What may be done beyond creating and changing what is declared. */
export interface PlanSwitches {
  /** Deletes what is declared absent, and takes away members of a list that are not declared. */
  readonly mayDelete: boolean;
  /** Writes what is declared and cannot be compared, too. */
  readonly writesUnknown: boolean;
}
