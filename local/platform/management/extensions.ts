import { allExtensions } from "../catalogue/extensions.ts";
import { ensure, itemResults } from "../errors/platform-error.ts";
import { textsOf } from "../http/fields.ts";
import { type ManagementRequest, managementFamily, replyPage } from "../http/route.ts";
import { deleteDocument, getDocument, putDocument } from "../store/database.ts";

/** No extension has an effect. */
export const extensionRoutes = managementFamily({
  "enable-extension"(request) {
    const switchAll = (field: "enabled" | "disabled") =>
      itemResults(textsOf(request.body, field), (id) => {
        ensure(extensionIds.includes(id), "ERR_EXTENSION_NOT_FOUND", `The extension ${id} does not exist.`);
        if (field === "enabled") putDocument(request, kind, id, { id });
        else deleteDocument(request, kind, id);
        return { message: `The extension ${id} has been enabled successfully.` };
      });
    return { enabled: switchAll("enabled"), disabled: switchAll("disabled") };
  },
  "list-extensions": (request) =>
    replyPage(request.query, extensionIds, { show: (id) => show(request, id), perPage: 25 }),
});

function show(request: ManagementRequest, id: string) {
  return {
    id,
    name: id,
    tagLine: "",
    description: "",
    author: "CometChat",
    email: "help@cometchat.com",
    webhookURL: `https://${id}-${request.app.region}.cometchats.io`,
    accessToAppData: false,
    adminURL: "",
    websiteURL: "https://www.cometchat.com",
    isActive: isActive(request, id),
    isPrivate: false,
    isInvisible: false,
    isThirdParty: false,
    createdAt: 1_591_812_821,
    hooks: { data: [] },
    categories: { data: [] },
  };
}

export function isActive(request: ManagementRequest, id: string): boolean {
  return getDocument(request, kind, id) !== undefined;
}

const kind = "extension-enabled";

/** @see docs/internals/platform/management.md#extensions */
export const extensionIds: readonly string[] = allExtensions().map(({ id }) => id);
