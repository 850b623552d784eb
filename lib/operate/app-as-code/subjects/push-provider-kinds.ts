import { apnsProviders, fcmProviders } from "../../../chat/notifications/push-providers.ts";
import { inputOf } from "../input-of.ts";
import type { AppApis, Fields, FoundThing, Kind, KindCalls } from "../thing.ts";

/** docs/internals/platform/notifications.md#push-providers */
export const fcmKind: Kind = {
  name: "FCM provider",
  ...rulesOfPush(),
  connect: (apis) => callsOf(apis, fcmProviders),
};

export const apnsKind: Kind = {
  name: "APNs provider",
  ...rulesOfPush(),
  connect: (apis) => callsOf(apis, apnsProviders),
};

/** Inferred: a listed provider has its input's fields; a missing one proves nothing. */
function rulesOfPush(): Pick<Kind, "rules" | "otherRule" | "hasSecrets"> {
  return { rules: {}, otherRule: { isSilent: true }, hasSecrets: true };
}

/** `isDefault` has its own operation. */
function callsOf({ chat, request }: AppApis, family: typeof fcmProviders | typeof apnsProviders): KindCalls {
  const list = async (): Promise<readonly FoundThing[]> => {
    const { pushProviders = [] } = await chat.call(family.list, request);
    return pushProviders.flatMap(({ providerId, ...fields }) =>
      typeof providerId === "string" ? [{ id: providerId, fields }] : [],
    );
  };
  const makeDefault = async (id: string, isDefault: unknown) => {
    if (isDefault === true) await chat.call(family.makeDefault, id, request);
  };
  return {
    list,
    find: async (id) => (await list()).find((provider) => provider.id === id),
    create: async (providerId, { isDefault, ...target }) => {
      if (family === fcmProviders) {
        await chat.call(fcmProviders.add, inputOf(fcmProviders.add, { ...target, providerId }), request);
      } else {
        await chat.call(apnsProviders.add, inputOf(apnsProviders.add, { ...target, providerId }), request);
      }
      await makeDefault(providerId, isDefault);
    },
    change: async (providerId, { isDefault, ...target }: Fields) => {
      if (Object.keys(target).length > 0) {
        const input = { ...target, providerId };
        if (family === fcmProviders) {
          await chat.call(fcmProviders.update, inputOf(fcmProviders.update, input), request);
        } else {
          await chat.call(apnsProviders.update, inputOf(apnsProviders.update, input), request);
        }
      }
      await makeDefault(providerId, isDefault);
    },
  };
}
