import { ensureField } from "../errors/platform-error.ts";
import { requiredText } from "../http/fields.ts";
import { type AppRequest, appFamily } from "../http/route.ts";
import { known } from "../http/shape.ts";
import type { JsonObject } from "../json.ts";
import { deleteDocument, getDocument, listDocuments, putDocument } from "../store/database.ts";
import { type Channel, providerKind } from "./provider.ts";

const done = { success: true };

/** Only custom providers are called. */
export const singleProviderRoutes = [
  ...routesOf("sms", "twilio", (verb) => `notifications-sms-${verb}-twilio-details`),
  ...routesOf("email", "sendgrid", (verb) => `notifications-email-${verb}-sendgrid-details`),
  ...(["push", "sms", "email"] as const).flatMap((channel) =>
    routesOf(channel, "custom", (verb) => `notifications-${verb}-${channel}-custom-provider`),
  ),
];

function routesOf(channel: Channel, name: string, idOf: (verb: string) => string) {
  const id = `${channel}-${name}`;
  // Shown as a list of one.
  const show = (stored: JsonObject | undefined) =>
    id === "push-custom" ? { pushProviders: stored === undefined ? [] : [stored] } : (stored ?? {});
  const save = (request: AppRequest, verb: "save" | "update", stored: JsonObject = {}) => {
    const changed: JsonObject = { ...stored, ...known(request.body, idOf(verb)) };
    if (changed.allowEmailReplies === true) {
      changed.repliesWebhook = `https://notifications-${request.app.region}.cometchat.io/email/v1/sendgrid/replies?token=${request.appId}`;
    }
    putDocument(request, providerKind, id, changed);
    request.redactor.refresh();
    return show(changed);
  };
  return appFamily({
    [idOf("list")]: (request) => show(getDocument(request, providerKind, id)),
    [idOf("save")]: (request) => save(request, "save"),
    [idOf("update")](request) {
      const stored = getDocument(request, providerKind, id);
      ensureField(stored !== undefined, "provider", `There is no ${name} provider.`);
      return save(request, "update", keptOf(request, stored));
    },
    [idOf("delete")](request) {
      deleteDocument(request, providerKind, id);
      return done;
    },
  });
}

function keptOf({ switches }: AppRequest, stored: JsonObject) {
  return switches.providerChanges === "merge" ? stored : {};
}

export const pushProviderRoutes = (["fcm", "apns"] as const).flatMap(pushRoutesOf);

function pushRoutesOf(service: "fcm" | "apns") {
  const { list, find, put, remove } = pushProviders(`push-provider-${service}`);
  const idOf = (verb: string) => `notifications-push-${verb}-${service}-provider`;
  const add = (request: AppRequest) => {
    const providerId = requiredText(request.body, "providerId");
    const { pushProviders: others } = list(request);
    const isNew = others.every((other) => other.providerId !== providerId);
    ensureField(isNew, "providerId", `The provider ${providerId} already exists.`);
    put(request, { ...known(request.body, idOf("add")), providerId, isDefault: others.length === 0 });
    // @see docs/internals/platform/notifications.md#push-providers
    return service === "fcm" ? done : list(request);
  };
  const update = (request: AppRequest) => {
    const stored = find(request, requiredText(request.body, "providerId"));
    const { providerId, isDefault } = stored;
    return put(request, {
      ...keptOf(request, stored),
      providerId,
      isDefault,
      ...known(request.body, idOf("update")),
    });
  };
  const makeDefault = (request: AppRequest) => {
    const { providerId } = find(request);
    for (const one of list(request).pushProviders) {
      put(request, { ...one, isDefault: one.providerId === providerId });
    }
    return done;
  };
  return appFamily({
    [`${idOf("list")}s`]: list,
    [idOf("add")]: add,
    [idOf("update")]: update,
    [idOf("delete")]: remove,
    [idOf("default")]: makeDefault,
  });
}

function pushProviders(kind: string) {
  const find = (request: AppRequest, id = request.param("providerId")) => {
    const stored = getDocument<PushProvider>(request, kind, id);
    ensureField(stored !== undefined, "providerId", `The provider ${id} does not exist.`);
    return stored;
  };
  return {
    list: (request: AppRequest) => ({ pushProviders: listDocuments<PushProvider>(request, kind) }),
    find,
    put(request: AppRequest, provider: PushProvider) {
      putDocument(request, kind, provider.providerId, provider);
      return done;
    },
    remove(request: AppRequest) {
      deleteDocument(request, kind, find(request).providerId);
      return done;
    },
  };
}

type PushProvider = JsonObject & { providerId: string };
