import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { errorCodes } from "../../lib/chat/error-codes.ts";
import { extensionIds, requiredSettings } from "../../lib/chat/management/extension-settings.ts";
import { factsOperations, hasFacts, ownOperations, readFacts } from "./catalogue.ts";
import { clientMethods, settingsOperationFor } from "./client-operations.ts";

const methods = clientMethods();
const byId = new Map(methods.map((method) => [method.operation.id, method.operation]));

describe("the client's methods", () => {
  it.each(ownOperations().map((operation) => [operation.id, operation] as const))(
    "cover %s with its method, path and acting user",
    (id, { method, path, onBehalfOf }) => {
      const generic = settingsOperationFor(method, path);
      const operation = generic ?? byId.get(id);

      expect(operation?.request).toBe(generic ? generic.request : `${method} ${path}`);
      expect(operation?.onBehalfOf ?? "unsupported").toBe(onBehalfOf);
    },
  );

  it("call nothing that the list does not have", () => {
    const known = new Set(ownOperations().map(({ id }) => id));

    expect(methods.map(({ operation }) => operation.id).filter((id) => !known.has(id))).toEqual([]);
  });

  it("call each operation once", () => {
    expect(byId.size).toBe(methods.length);
  });
});

describe.skipIf(!hasFacts)("the facts, where they are at hand", () => {
  it("name the operations of the repository's own list", () => {
    const facts = factsOperations().map(({ api, id, method, path, onBehalfOf }) => ({
      api,
      id,
      method,
      path,
      onBehalfOf,
    }));

    expect(ownOperations()).toEqual(facts);
  });

  it("name no field that a method's input does not take", () => {
    const missing = factsOperations().flatMap(({ id, fields }) => {
      const operation = byId.get(id);
      if (!operation) return [];
      return fields.filter((field) => !takes(operation.input?.(), field)).map((field) => `${id}.${field}`);
    });

    // `id` of the flag is sent by the client itself, beside reasonId: the two versions of the facts disagree.
    expect(missing).toEqual(["flag-a-message.id"]);
  });

  it("list the error codes of the table, with their status", () => {
    const { errors } = readFacts("chat-api.json") as {
      errors: { code: string; status: number | null; statusEvidence: string }[];
    };

    expect(new Map(errorCodes.map(([code, status]) => [code, status]))).toEqual(
      new Map(errors.map(({ code, status }) => [code, status])),
    );
    expect(errorCodes).toHaveLength(129);
  });

  it("list the extensions and what their settings must have", () => {
    const facts = readFacts("management-api.json") as {
      extensionIds: string[];
      operations: {
        extension?: string;
        method: string;
        body?: { properties?: { settings?: { required?: string[] } } };
      }[];
    };
    const required = new Map(
      facts.operations.flatMap(({ extension, body }) => {
        const names = body?.properties?.settings?.required;
        return extension !== undefined && names ? [[extension, names.toSorted()] as const] : [];
      }),
    );

    expect(extensionIds).toEqual(facts.extensionIds);
    expect(
      new Map(Object.entries(requiredSettings).map(([id, names]) => [id, [...(names ?? [])].toSorted()])),
    ).toEqual(required);
  });
});

/** Tells whether a schema knows a field: a strict object complains about one it does not know, a union when none of its forms does. */
function takes(schema: z.ZodMiniType | undefined, field: string): boolean {
  if (!schema) return false;
  const issues = z.safeParse(schema, { [field]: {} }).error?.issues ?? [];
  const isUnknown = (found: z.core.$ZodIssue[]): boolean =>
    found.some((issue) => {
      if (issue.code === "invalid_union") return issue.errors.every(isUnknown);
      return issue.code === "unrecognized_keys" && issue.path.length === 0;
    });
  return !isUnknown(issues);
}
