import { badRequest, PlatformError, toItemFailure } from "../errors/platform-error.ts";
import { optionalFlag, optionalTexts } from "../http/fields.ts";
import { acknowledge, type Reply, reply, replyPage } from "../http/reply.ts";
import { type AppRequest, type AppRoute, appFamily } from "../http/route.ts";
import { nowSeconds } from "../services/services.ts";
import { deleteDocument, listDocuments, putDocument } from "../store/documents.ts";
import { featureKey, features, isFeature, restrictedKind } from "./features.ts";
import { requirePathRole } from "./roles.ts";

const route = appFamily("docs/platform/users-and-groups.md#restricted-features");

/** Declares the restricted feature family. */
export const restrictedFeatureRoutes: readonly AppRoute[] = [
  route("restrict-features", "POST /roles/{role}/restrictedfeatures", restrict, {
    input: { needs: { items: ["featuresToRestrict"] } },
    assumptions: [
      "Keys are taken with and without the prefix `u.` and shown with it.",
      "An unknown key fails alone, with ERR_BAD_REQUEST in its entry.",
    ],
  }),
  route("get-restrictedfeatures", "GET /roles/{role}/restrictedfeatures", list, {
    assumptions: ["Titles, descriptions and paths of features other than u.listUsers are ours."],
  }),
  route("allow-features", "DELETE /roles/{role}/restrictedfeatures", allow, {
    input: { needs: { items: ["featuresToAllow", "allowAll"] } },
    assumptions: ["Keys that are not restricted are passed over.", "One of the two fields is required."],
  }),
];

function restrict(request: AppRequest): Reply {
  const { role } = requirePathRole(request);
  const keys = optionalTexts(request.body, "featuresToRestrict");
  if (keys === undefined)
    throw badRequest({ featuresToRestrict: "The featuresToRestrict field is required." });
  const createdAt = nowSeconds(request);
  const results = keys.map((asked) => {
    const key = featureKey(asked);
    if (!isFeature(key)) {
      const unknown = new PlatformError("ERR_BAD_REQUEST", `The feature ${asked} does not exist.`);
      return [asked, toItemFailure(unknown)];
    }
    putDocument(request, restrictedKind(role), key, {
      title: titleOf(key),
      description: `${titleOf(key)} on behalf of a user.`,
      key: `u.${key}`,
      path: features[key],
      createdAt,
    });
    return [asked, { success: true, message: `The feature ${asked} has been restricted successfully.` }];
  });
  return reply(Object.fromEntries(results));
}

function list(request: AppRequest): Reply {
  const { role } = requirePathRole(request);
  const restricted = listDocuments(request, restrictedKind(role));
  return replyPage(request.query, restricted);
}

function allow(request: AppRequest): Reply {
  const { role } = requirePathRole(request);
  const kind = restrictedKind(role);
  const allowAll = optionalFlag(request.body, "allowAll") === true;
  const asked = optionalTexts(request.body, "featuresToAllow");
  if (asked === undefined && !allowAll) {
    throw badRequest({ featuresToAllow: "The featuresToAllow field or allowAll is required." });
  }
  const keys = allowAll ? Object.keys(features) : (asked ?? []).map(featureKey);
  for (const key of keys) deleteDocument(request, kind, key);
  return acknowledge("The feature has been allowed successfully.");
}

// "listUsers" → "List Users", the form of the printed example.
function titleOf(key: string): string {
  const words = key.replaceAll(/([A-Z])/g, " $1");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
