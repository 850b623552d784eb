import { unlessMissing } from "../../chat/is-code.ts";
import type { ChatErrorCode } from "../../chat/types/error-codes.ts";
import {
  type AppApis,
  type Fields,
  type FoundResource,
  type Kind,
  oldestOf,
  pickFields,
  withoutEmpty,
} from "./resource.ts";

interface ResourceCalls {
  get?(id: string, options: AppApis["request"]): Promise<Fields>;
  create(input: object, options: AppApis["request"]): Promise<unknown>;
  update(id: string, input: object, options: AppApis["request"]): Promise<unknown>;
  delete(id: string, options: AppApis["request"]): Promise<unknown>;
}

export interface ResourceKind<Calls extends ResourceCalls> extends Omit<Kind, "connect"> {
  /** The field of the declared id in answers. Default: `id`. */
  readonly idField?: string;
  readonly fields: readonly string[];
  readonly callsOf: (chat: AppApis["chat"]) => Calls;
  /** Lists the newest first. */
  readonly list: (calls: Calls, request: AppApis["request"]) => AsyncIterable<Fields>;
  /** Default: looks for each resource in the list. */
  readonly missing?: ChatErrorCode;
  /** Default: returns the answer. */
  readonly read?: (shown: Fields, calls: Calls, request: AppApis["request"]) => Fields | Promise<Fields>;
  readonly isUntouched?: (shown: Fields) => boolean;
  readonly toInput?: (target: Fields, found: FoundResource | undefined) => Fields;
}

export function resourceKind<Calls extends ResourceCalls>(definition: ResourceKind<Calls>): Kind {
  const { idField = "id", fields, callsOf, list, missing, ...others } = definition;
  const {
    read = (shown) => shown,
    isUntouched = () => false,
    toInput = (target) => target,
    ...kind
  } = others;
  const { ownId } = kind;
  return {
    ...kind,
    connect: ({ chat, request }) => {
      const calls = callsOf(chat);
      const toResource = async (shown: Fields): Promise<FoundResource> => ({
        id: String(shown[idField]),
        ...(ownId !== undefined && { ownId: String(shown[ownId]) }),
        fields: withoutEmpty(pickFields(await read(shown, calls, request), fields)),
        isUntouched: isUntouched(shown),
      });
      const listed = () => Array.fromAsync(list(calls, request));
      const findAll = async (id: string): Promise<readonly Fields[]> => {
        if (missing === undefined || calls.get === undefined)
          return (await listed()).filter((shown) => shown[idField] === id);
        const shown = await unlessMissing(missing, calls.get(id, request));
        return shown === undefined ? [] : [shown];
      };
      return {
        list: async () => Promise.all((await listed()).map(toResource)),
        find: async (id) => oldestOf(await Promise.all((await findAll(id)).map(toResource))),
        write: (id, target, found) => {
          const input = toInput(target, found);
          if (found === undefined) return calls.create({ [idField]: id, ...input }, request);
          return calls.update(found.ownId ?? id, input, request);
        },
        remove: async (id) => {
          const ids = ownId === undefined ? [id] : (await findAll(id)).map((shown) => String(shown[ownId]));
          for (const each of ids) await calls.delete(each, request);
        },
      };
    },
  };
}

/**
 * Of moderation resources that the platform creates, the times are equal, and there is no second revision
 * (docs/internals/platform/moderation.md#rules). If neither is shown, it counts as changed.
 */
export function isUnchangedDefault({
  default: isDefault,
  createdAt,
  updatedAt,
  revisionId,
}: Fields): boolean {
  if (isDefault !== true || createdAt === undefined) return false;
  return /_1$/.test(String(revisionId ?? "_1")) && createdAt === (updatedAt ?? createdAt);
}
