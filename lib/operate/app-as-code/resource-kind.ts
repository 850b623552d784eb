import { unlessMissing } from "../../chat/is-code.ts";
import type { ChatErrorCode } from "../../chat/types/error-codes.ts";
import { pickFields } from "./pick-fields.ts";
import type { AppApis, Fields, FoundThing, Kind } from "./thing.ts";

/** A family of the client, which checks the inputs. */
interface ResourceCalls<Shown> {
  get(id: string, options: AppApis["request"]): Promise<Shown>;
  create(input: object, options: AppApis["request"]): Promise<unknown>;
  update(id: string, input: object, options: AppApis["request"]): Promise<unknown>;
  delete(id: string, options: AppApis["request"]): Promise<unknown>;
}

export interface ResourceKind<Shown, Calls extends ResourceCalls<Shown>>
  extends Pick<Kind, "name">,
    Partial<Pick<Kind, "rules">> {
  readonly callsOf: (chat: AppApis["chat"]) => Calls;
  readonly list: (calls: Calls, request: AppApis["request"]) => AsyncIterable<Shown>;
  /** The platform's code for one that does not exist. */
  readonly missing: ChatErrorCode;
  readonly read: (shown: Shown) => FoundThing;
  /** Default: with its `id`. */
  readonly toCreate?: (id: string, target: Fields) => object;
  /** Default: the fields to change alone. */
  readonly toUpdate?: (target: Fields, found: Fields) => object;
}

/** A kind whose resources are created, read, changed and deleted by their ids, with the app's own key. */
export function resourceKind<Shown, Calls extends ResourceCalls<Shown>>(
  definition: ResourceKind<Shown, Calls>,
): Kind {
  const { name, rules = {}, callsOf, list, missing, read } = definition;
  const { toCreate = (id, target) => ({ id, ...target }), toUpdate = (target) => target } = definition;
  return {
    name,
    rules,
    connect: ({ chat, request }) => {
      const calls = callsOf(chat);
      return {
        list: async () => (await Array.fromAsync(list(calls, request))).map(read),
        find: async (id) => {
          const shown = await unlessMissing(missing, calls.get(id, request));
          return shown && read(shown);
        },
        create: (id, target) => calls.create(toCreate(id, target), request),
        change: (id, target, { fields }) => calls.update(id, toUpdate(target, fields), request),
        remove: (id) => calls.delete(id, request),
      };
    },
  };
}

/** Of moderation, where the platform creates resources itself. */
interface ModerationResource extends Readonly<Record<string, unknown>> {
  readonly id: string;
  readonly default?: boolean | undefined;
  readonly createdAt?: number | undefined;
  readonly updatedAt?: number | undefined;
  readonly revisionId?: string | undefined;
}

export function readModerationResource(shown: ModerationResource, names: readonly string[]): FoundThing {
  return { id: shown.id, fields: pickFields(shown, names), isUntouched: isUnchangedDefault(shown) };
}

/**
 * Its times are equal, and it has no second revision (docs/internals/platform/moderation.md#rules). If
 * neither is shown, it counts as changed.
 */
function isUnchangedDefault(shown: ModerationResource): boolean {
  if (shown.default !== true || shown.createdAt === undefined) return false;
  const isFirstRevision = /_1$/.test(shown.revisionId ?? "_1");
  return isFirstRevision && shown.createdAt === (shown.updatedAt ?? shown.createdAt);
}
