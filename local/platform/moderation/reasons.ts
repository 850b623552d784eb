import { ensure, found } from "../errors/platform-error.ts";
import { optionalText, requiredText } from "../http/fields.ts";
import { type AppRequest, acknowledge, appFamily, Reply, replyLimited } from "../http/route.ts";
import { defined, type JsonObject } from "../json.ts";
import { type AppServices, nowSeconds } from "../services/services.ts";
import { type AppData, deleteDocument, getDocument, listDocuments, putDocument } from "../store/database.ts";

export const reasonRoutes = appFamily({
  "create-reason"(request) {
    const id = requiredText(request.body, "id", maxLength);
    const name = requiredText(request.body, "name", maxLength);
    const description = optionalText(request.body, "description");
    ensure(
      findReason(request, id) === undefined,
      "ERR_BAD_REQUEST",
      `The reason with id ${id} already exists.`,
      {
        details: { id: ["The id has already been taken."] },
      },
    );
    const at = nowSeconds(request);
    const reason = {
      id,
      name,
      ...defined({ description }),
      createdAt: at,
      updatedAt: at,
    };
    putDocument(request, kind, id, reason);
    return reason;
  },
  "list-reasons"(request) {
    const reasons = listDocuments(request, kind).map((reason) => ({
      ...reason,
      // The list has strings (docs/internals/platform/ids-and-limits.md#timestamps).
      createdAt: String(reason.createdAt),
      updatedAt: String(reason.updatedAt),
    }));
    return replyLimited(reasons);
  },
  "get-reason-details": requireReason,
  "update-reason-details"(request) {
    const reason = requireReason(request);
    const isFixed = request.switches.reasonDescriptions === "fixed";
    const description = isFixed ? undefined : optionalText(request.body, "description");
    const changed = {
      ...reason,
      name: requiredText(request.body, "name", maxLength),
      ...defined({ description }),
      updatedAt: nowSeconds(request),
    };
    putDocument(request, kind, request.param("id"), changed);
    return changed;
  },
  "delete-reason"(request) {
    requireReason(request);
    const id = request.param("id");
    deleteDocument(request, kind, id);
    return new Reply(acknowledge(`The reason with id ${id} has been deleted successfully.`));
  },
});

/** Two of the names are assumed. */
export function addBuiltInReasons(services: AppServices): void {
  const { createdAt } = services.app;
  for (const reason of builtInReasons) {
    putDocument(services, kind, reason.id, {
      ...reason,
      createdAt,
      updatedAt: createdAt,
      default: true,
    });
  }
}

export function findReason(request: AppData, id: string): JsonObject | undefined {
  return getDocument(request, kind, id);
}

function requireReason(request: AppRequest) {
  const id = request.param("id");
  return found(findReason(request, id), "ERR_REASON_NOT_FOUND", `The reason with id ${id} does not exist.`);
}

const kind = "moderation-reason";
const maxLength = 100;

const builtInReasons = [
  { id: "spam", name: "Spam / Unwanted Content", description: "Unsolicited or repeated content." },
  { id: "sexual", name: "Sexual Content", description: "Sexual or explicit content." },
  { id: "harassment", name: "Harassment", description: "Content that threatens or insults a person." },
];
