import { badRequest } from "../errors/platform-error.ts";
import { optionalTexts } from "../http/fields.ts";
import { type Reply, reply } from "../http/reply.ts";
import { type ManagementRequest, type ManagementRoute, managementFamily } from "../http/route.ts";
import type { JsonObject } from "../json.ts";
import { nowSeconds } from "../services/services.ts";
import { nextNumber } from "../store/counters.ts";
import { deleteDocument, getDocument, listDocuments, putDocument } from "../store/documents.ts";

const route = managementFamily("docs/platform/management.md#team");

/** Declares the team of an app. */
export const teamRoutes: readonly ManagementRoute[] = [
  route("add-collaborator", "POST /apps/{appId}/collaborators", change, {
    input: { needs: { items: ["admins", "developers", "moderators", "collaboratorsToRemove"] } },
    assumptions: [
      "`developers` is taken too, as the answer has it.",
      "Somebody who is in the team already gets the new role; removing a stranger fails alone.",
      "The name is the part of the address before the @.",
    ],
  }),
  route("list-collaborators", "GET /apps/{appId}/collaborators", (request) =>
    reply(listDocuments(request, kind)),
  ),
];

function change(request: ManagementRequest): Reply {
  const lists = [...Object.keys(roles), "collaboratorsToRemove"].map(
    (field) => [field, readAddresses(request.body, field)] as const,
  );
  const results = request.db.transaction(() =>
    lists.map(([field, addresses]) => {
      const entries = addresses.map((email) => {
        const role = roles[field];
        if (role === undefined) return [email, { success: deleteDocument(request, kind, email) }];
        put(request, email, role);
        return [email, { success: true }];
      });
      // Empty groups are printed as [], not {}.
      return [field, entries.length === 0 ? [] : Object.fromEntries(entries)];
    }),
  );
  return reply(Object.fromEntries(results));
}

function put(request: ManagementRequest, email: string, role: string): void {
  const stored = getDocument(request, kind, email) ?? {
    id: String(nextNumber(request, kind)),
    name: email.slice(0, email.indexOf("@")),
    email,
    createdAt: nowSeconds(request),
  };
  putDocument(request, kind, email, { ...stored, role });
}

function readAddresses(body: JsonObject, field: string): string[] {
  const addresses = optionalTexts(body, field) ?? [];
  if (addresses.some((address) => !/^[^\s@]+@[^\s@]+$/.test(address))) {
    throw badRequest({ [field]: `The ${field} must be e-mail addresses.` });
  }
  return addresses;
}

const kind = "collaborator";
const roles: Record<string, string> = { admins: "admin", developers: "developer", moderators: "moderator" };
