import { badRequest, PlatformError } from "../errors/platform-error.ts";
import { optionalText, requiredText } from "../http/fields.ts";
import { type Reply, reply } from "../http/reply.ts";
import { type AppRequest, type AppRoute, appFamily } from "../http/route.ts";
import type { JsonObject } from "../json.ts";
import { findActiveAuthToken } from "../store/auth-tokens.ts";
import { deleteDocument, getDocument, listDocuments, putDocument } from "../store/documents.ts";
import { setTimezone } from "./muted.ts";

const route = appFamily("docs/platform/notifications.md#push-tokens");

/** Declares the push tokens of a user, who is known by an auth token. */
export const pushTokenRoutes: readonly AppRoute[] = [
  route("notifications-push-register-token", "POST /notifications/push/v1/tokens", register, {
    assumptions: [
      "An unknown auth token is refused with ERR_AUTH_TOKEN_NOT_FOUND.",
      "An auth token has one push token of each type; a new one replaces it.",
      "A provider that does not exist is taken.",
    ],
  }),
  route(
    "notifications-push-list-tokens",
    "GET /notifications/push/v1/tokens",
    (request) => {
      const owner = ownerOf(request, request.query.text("authToken"));
      return reply({ pushTokens: tokensOf(request, owner, request.query.flag("all") === true) });
    },
    { assumptions: ["`all` lists the tokens of all of the user's auth tokens."] },
  ),
  route(
    "notifications-push-unregister-tokens",
    "DELETE /notifications/push/v1/tokens",
    (request) => {
      const owner = ownerOf(request, optionalText(request.body, "authToken"));
      return unregister(request, owner, tokensOf(request, owner, request.query.flag("all") === true));
    },
    { assumptions: ["The answer lists what is left."] },
  ),
  route(
    "notifications-push-delete-token",
    "DELETE /notifications/push/v1/tokens/{pushToken}",
    (request) => {
      const owner = ownerOf(request, optionalText(request.body, "authToken"));
      const named = tokensOf(request, owner, true).filter(
        ({ pushToken }) => pushToken === request.param("pushToken"),
      );
      if (named.length === 0) throw badRequest({ pushToken: "The push token does not exist." });
      return unregister(request, owner, named);
    },
    {
      assumptions: [
        "The answer lists what is left.",
        "An unknown token is refused with ERR_BAD_REQUEST: no page has a code for it.",
      ],
    },
  ),
];

type Owner = { uid: string; authToken: string };

function register(request: AppRequest): Reply {
  const owner = ownerOf(request, optionalText(request.body, "authToken"));
  const platform = requiredText(request.body, "platform");
  const kindOfToken = tokenKinds.find(({ platforms }) => platforms.includes(platform));
  if (kindOfToken === undefined) throw badRequest({ platform: `The platform ${platform} does not exist.` });
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
  return reply({ success: true });
}

function unregister(request: AppRequest, owner: Owner, tokens: JsonObject[]): Reply {
  for (const { authToken, pushTokenType } of tokens) {
    deleteDocument(request, kind, `${authToken}/${pushTokenType}`);
  }
  return reply({ pushTokens: tokensOf(request, owner, true) });
}

function tokensOf(request: AppRequest, owner: Owner, all: boolean): JsonObject[] {
  return listDocuments(request, kind).filter(
    ({ uid, authToken }) => uid === owner.uid && (all || authToken === owner.authToken),
  );
}

function ownerOf(request: AppRequest, authToken: string | undefined): Owner {
  if (authToken === undefined || authToken === "") {
    throw badRequest({ authToken: "The authToken field is required." });
  }
  const token = findActiveAuthToken(request, authToken);
  if (token === undefined)
    throw new PlatformError("ERR_AUTH_TOKEN_NOT_FOUND", "The auth token does not exist.");
  return { uid: token.uid, authToken };
}

// The field that carries the token depends on the platform; type `chat` is printed, the other name is assumed.
const tokenKinds = [
  {
    type: "chat",
    field: "fcmToken",
    platforms: [
      "fcm_android",
      "fcm_ios",
      "fcm_web",
      ...["flutter", "react_native", "ionic_cordova"].flatMap((kit) => [
        `fcm_${kit}_android`,
        `fcm_${kit}_ios`,
      ]),
    ],
  },
  {
    type: "chat",
    field: "deviceToken",
    platforms: ["ios", "flutter", "react_native", "ionic_cordova"].map((kit) => `apns_${kit}_device`),
  },
  {
    type: "voip",
    field: "voipToken",
    platforms: ["ios", "flutter", "react_native", "ionic_cordova"].map((kit) => `apns_${kit}_voip`),
  },
];

const kind = "push-token";
