import type { ChatClientBase } from "../../chat/compose.ts";
import type { ManagementClient } from "../../chat/management/management-client.ts";
import type { RequestOptions } from "../../chat/request-options.ts";

/** Declared in config/app/ or shown by the platform. */
export type Fields = Readonly<Record<string, unknown>>;

/** Fields may contain references to secrets. */
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
  /** Created by the platform, and unchanged since. */
  readonly isUntouched?: boolean;
  /** The platform's, where `id` is a name, which several can have. */
  readonly ownId?: string;
  /** How many have this `id`, if several: the fields are the oldest's. */
  readonly twins?: number;
}

export interface FieldRule {
  /** The platform may not show it: a missing value proves nothing. */
  readonly isSilent?: boolean;
  /** At creation and with another address; else only on a request to write fields that cannot be compared. */
  readonly isOnce?: boolean;
  /**
   * `set`: the order does not matter. `members`: nor here, and each has its own request. Default: it matters.
   */
  readonly list?: "set" | "members";
  /** Of an object, no other field may be there. */
  readonly isWhole?: boolean;
  /** Has no secret: keys of a tool's parameters are names. */
  readonly isOpen?: boolean;
  /** Cannot be changed. */
  readonly isFixed?: boolean;
}

export interface AppApis {
  readonly appId: string;
  readonly chat: Pick<ChatClientBase, "call" | "using">;
  /** Undefined if the management credentials may not be read. */
  readonly management: ManagementClient | undefined;
  readonly request: Pick<RequestOptions, "deadlineMs" | "signal">;
}

export interface Kind {
  /** In plans: `role`, `moderation rule`. */
  readonly name: string;
  readonly rules?: Readonly<Record<string, FieldRule>>;
  /** Of fields that are not in `rules`. */
  readonly otherRule?: FieldRule;
  readonly required?: readonly string[];
  /** Its fields may contain references to secrets. */
  readonly hasSecrets?: boolean;
  /** Field with the address that gets the secrets. */
  readonly address?: string;
  /** Fields that name resources of other kinds, by kind. They must exist, or be declared. */
  readonly parts?: Readonly<Record<string, string>>;
  /** Undefined if the app's own key is not sufficient and other credentials are missing. */
  readonly connect: (apis: AppApis) => KindCalls | undefined;
}

/** For one kind in one app. Each throws what the client throws, and may be repeated. */
export interface KindCalls {
  /** All existing resources or, if each takes a request, the named ones. */
  readonly list: (ids: readonly string[] | "all") => Promise<readonly FoundThing[]>;
  /** Undefined if it does not exist. */
  readonly find: (id: string) => Promise<FoundThing | undefined>;
  /** Changes it, or creates it where it was not `found`. */
  readonly write: (id: string, target: Fields, found: FoundThing | undefined) => Promise<unknown>;
  /** Undefined if the kind cannot be deleted. */
  readonly remove?: (id: string) => Promise<unknown>;
}

export function ruleOf({ rules = {}, otherRule = {} }: Pick<Kind, "rules" | "otherRule">, name: string) {
  return rules[name] ?? otherRule;
}

/** The methods of a family, which checks the inputs. */
export type Unchecked<Client> = {
  readonly [Name in keyof Client]: Client[Name] extends (...args: infer Args) => infer Result
    ? {
        call(...args: { [Index in keyof Args]: Args[Index] extends string ? string : object }): Result;
      }["call"]
    : never;
};

/** Besides creating and changing. */
export interface PlanSwitches {
  /** What is declared absent, and undeclared members of lists. */
  readonly mayDelete: boolean;
  /** Declared fields that cannot be compared. */
  readonly writesUnknown: boolean;
}
