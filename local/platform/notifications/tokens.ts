import { requireActor } from "../chat/message-view.ts";
import { ensureField, found, missing } from "../errors/platform-error.ts";
import { optionalText, readFields, requiredText } from "../http/fields.ts";
import { type AppRequest, appFamily } from "../http/route.ts";
import type { JsonObject } from "../json.ts";
import { deleteDocument, getDocument, listDocuments, putDocument } from "../store/database.ts";
import { findTokenOwner, listActiveAuthTokens } from "../store/users.ts";
import { setTimezone } from "./preferences.ts";

export const tokenRoutes = appFamily({
  "notifications-push-register-token"(request) {
    const owner = ownerOf(request, optionalText(request.body, "authToken"));
    const platform = requiredText(request.body, "platform");
    const kindOfToken = tokenKinds.find(({ platforms }) => platforms.includes(platform));
    ensureField(kindOfToken !== undefined, "platform", `The platform ${platform} does not exist.`);
    const pushToken = requiredText(request.body, kindOfToken.field);
    const providerId = requiredText(request.body, "providerId");
    const timezone = optionalText(request.body, "timezone");
    if (timezone !== undefined) setTimezone(request, owner.uid, timezone);
    const id = `${owner.authToken}/${kindOfToken.type}`;
    const now = new Date(request.clock.now()).toISOString();
    putDocument(request, kind, id, {
      ...owner,
      pushTokenType: kindOfToken.type,
      platform,
      providerId,
      pushToken,
      createdAt: getDocument(request, kind, id)?.createdAt ?? now,
      updatedAt: now,
    });
    return { success: true };
  },
  "notifications-push-list-tokens"(request) {
    const owner = ownerOf(request, request.query.text("authToken"));
    return { pushTokens: tokensOf(request, owner, request.query.flag("all") === true) };
  },
  "notifications-push-unregister-tokens"(request) {
    const owner = ownerOf(request, optionalText(request.body, "authToken"));
    return unregister(request, owner, tokensOf(request, owner, request.query.flag("all") === true));
  },
  "notifications-push-delete-token"(request) {
    const owner = ownerOf(request, optionalText(request.body, "authToken"));
    const named = tokensOf(request, owner, true).filter(
      ({ pushToken }) => pushToken === request.param("pushToken"),
    );
    ensureField(named.length !== 0, "pushToken", "The push token does not exist.");
    return unregister(request, owner, named);
  },
  "notifications-get-contact-details": (request) =>
    getDocument(request, contactKind, requireActor(request).uid) ?? {},
  "notifications-update-contact-details"(request) {
    const { uid } = requireActor(request);
    const changes = readFields(request.body, { email: optionalText, phno: optionalText });
    ensureField(
      changes.email === undefined || /^[^\s@]+@[^\s@]+$/.test(changes.email),
      "email",
      "The email must be a valid e-mail address.",
    );
    ensureField(
      changes.phno === undefined || /^\+\d{6,15}$/.test(changes.phno),
      "phno",
      "The phno must be a phone number with its country code.",
    );
    const changed = { ...getDocument(request, contactKind, uid), ...changes };
    putDocument(request, contactKind, uid, changed);
    return changed;
  },
  "notifications-delete-contact-details"(request) {
    deleteDocument(request, contactKind, requireActor(request).uid);
    return { success: true };
  },
});

type Owner = { uid: string; authToken: string };

function unregister(request: AppRequest, owner: Owner, tokens: JsonObject[]) {
  for (const { authToken, pushTokenType } of tokens) {
    deleteDocument(request, kind, `${authToken}/${pushTokenType}`);
  }
  return { pushTokens: tokensOf(request, owner, true) };
}

function tokensOf(request: AppRequest, owner: Owner, all: boolean) {
  const live = all ? listActiveAuthTokens(request, owner.uid) : [owner];
  return listDocuments(request, kind).filter((device) =>
    live.some(({ authToken }) => authToken === device.authToken),
  );
}

function ownerOf(request: AppRequest, authToken: string | undefined) {
  if (!authToken) throw missing("authToken");
  const uid = findTokenOwner(request, authToken);
  return { uid: found(uid, "ERR_AUTH_TOKEN_NOT_FOUND", "The auth token does not exist."), authToken };
}

const kits = ["flutter", "react_native", "ionic_cordova"];

const tokenKinds = [
  {
    type: "chat",
    field: "fcmToken",
    platforms: [
      "fcm_android",
      "fcm_ios",
      "fcm_web",
      ...kits.flatMap((kit) => [`fcm_${kit}_android`, `fcm_${kit}_ios`]),
    ],
  },
  {
    type: "chat",
    field: "deviceToken",
    platforms: [...kits, "ios"].map((kit) => `apns_${kit}_device`),
  },
  {
    type: "voip",
    field: "voipToken",
    platforms: [...kits, "ios"].map((kit) => `apns_${kit}_voip`),
  },
];

const kind = "push-token";

const contactKind = "contact-details";
