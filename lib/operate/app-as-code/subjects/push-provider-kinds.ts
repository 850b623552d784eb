import { apnsProviders, fcmProviders } from "../../../chat/notifications/push-providers.ts";
import type { AppApis, Fields, FoundThing, Kind } from "../thing.ts";

/** docs/internals/platform/notifications.md#push-providers */
export const fcmKind = pushKind("FCM provider", (chat) => chat.using({ fcmProviders }).fcmProviders);
export const apnsKind = pushKind("APNs provider", (chat) => chat.using({ apnsProviders }).apnsProviders);

/** Either family; the client checks the inputs. */
interface PushCalls {
  list(options: AppApis["request"]): Promise<{ readonly pushProviders?: readonly Fields[] | undefined }>;
  add(input: object, options: AppApis["request"]): Promise<unknown>;
  update(input: object, options: AppApis["request"]): Promise<unknown>;
  makeDefault(providerId: string, options: AppApis["request"]): Promise<unknown>;
}

/** Inferred: a listed provider has its input's fields; a missing one proves nothing. */
function pushKind(name: string, callsOf: (chat: AppApis["chat"]) => PushCalls): Kind {
  return {
    name,
    rules: {},
    otherRule: { isSilent: true },
    hasSecrets: true,
    connect: ({ chat, request }) => {
      const calls = callsOf(chat);
      const list = async (): Promise<readonly FoundThing[]> => {
        const { pushProviders = [] } = await calls.list(request);
        return pushProviders.flatMap(({ providerId, ...fields }) =>
          typeof providerId === "string" ? [{ id: providerId, fields }] : [],
        );
      };
      // It has its own operation.
      const makeDefault = async (id: string, isDefault: unknown) => {
        if (isDefault === true) await calls.makeDefault(id, request);
      };
      return {
        list,
        find: async (id) => (await list()).find((provider) => provider.id === id),
        create: async (providerId, { isDefault, ...target }) => {
          await calls.add({ ...target, providerId }, request);
          await makeDefault(providerId, isDefault);
        },
        change: async (providerId, { isDefault, ...target }) => {
          if (Object.keys(target).length > 0) await calls.update({ ...target, providerId }, request);
          await makeDefault(providerId, isDefault);
        },
      };
    },
  };
}
