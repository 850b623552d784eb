import { toItemFailure } from "../errors/failures.ts";
import { PlatformError } from "../errors/platform-error.ts";
import { optionalTexts } from "../http/fields.ts";
import { pageMeta, pageOf, readPage } from "../http/pagination.ts";
import { type Reply, reply } from "../http/reply.ts";
import type { ManagementRequest, ManagementRoute } from "../http/route.ts";
import type { JsonObject } from "../json.ts";
import { deleteDocument, getDocument, putDocument } from "../store/documents.ts";
import { extensionIds } from "./extension-table.ts";

const base = {
  fidelity: "documented",
  source: "docs/platform/management.md#extensions",
  path: "/apps/{appId}/extensions",
} as const;

/** Declares switching extensions on and off. No extension does anything. */
export const extensionRoutes: readonly ManagementRoute[] = [
  {
    ...base,
    operationId: "enable-extension",
    input: { needs: { items: ["enabled", "disabled"] } },
    method: "POST",
    assumptions: [
      "An unknown id fails alone, with ERR_EXTENSION_NOT_FOUND in its entry.",
      "Disabling is worded like enabling, as the example has it.",
    ],
    handler: change,
  },
  {
    ...base,
    operationId: "list-extensions",
    method: "GET",
    assumptions: ["`isActive` says whether it is on; texts and addresses are ours.", "`page` works too."],
    handler: list,
  },
];

function change(request: ManagementRequest): Reply {
  const { appId } = request.app();
  const switchAll = (field: "enabled" | "disabled") => {
    const results = (optionalTexts(request.body, field) ?? []).map((id) => {
      if (!extensionIds.includes(id)) {
        return [
          id,
          toItemFailure(new PlatformError("ERR_EXTENSION_NOT_FOUND", `The extension ${id} does not exist.`)),
        ];
      }
      if (field === "enabled") putDocument(request.db, appId, kind, id, { id });
      else deleteDocument(request.db, appId, kind, id);
      return [id, { success: true, message: `The extension ${id} has been enabled successfully.` }];
    });
    return Object.fromEntries(results);
  };
  return reply({ enabled: switchAll("enabled"), disabled: switchAll("disabled") });
}

function list(request: ManagementRequest): Reply {
  const app = request.app();
  const page = readPage(request.query, 25);
  const shown = pageOf([...extensionIds], page).map((id) => show(request, app.appId, app.region, id));
  return reply(shown, { meta: pageMeta(page, extensionIds.length, shown.length) });
}

function show(request: ManagementRequest, appId: string, region: string, id: string): JsonObject {
  return {
    id,
    name: id,
    tagLine: "",
    description: "",
    author: "CometChat",
    email: "help@cometchat.com",
    webhookURL: `https://${id}-${region}.cometchats.io`,
    accessToAppData: false,
    adminURL: "",
    websiteURL: "https://www.cometchat.com",
    isActive: getDocument(request.db, appId, kind, id) !== undefined,
    isPrivate: false,
    isInvisible: false,
    isThirdParty: false,
    createdAt: 1_591_812_821,
    hooks: { data: [] },
    categories: { data: [] },
  };
}

const kind = "extension-enabled";
