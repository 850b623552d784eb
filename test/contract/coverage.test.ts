import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { errorCodes } from "../../lib/chat/error-codes.ts";
import { extensionIds, requiredSettings } from "../../lib/chat/management/extension-settings.ts";
import { ownOperations } from "../../local/platform/catalogue/catalogue.ts";
import { documentedErrors, documentedExtensions } from "../helpers/catalogue.ts";
import { clientMethods, settingsOperationFor } from "./client-operations.ts";

const methods = clientMethods();
const byId = new Map(methods.map((method) => [method.operation.id, method.operation]));

describe("the client's methods", () => {
  it("cover each operation with its method, path and acting user", () => {
    for (const { id, method, path, onBehalfOf } of ownOperations()) {
      const generic = settingsOperationFor(method, path);
      const operation = generic ?? byId.get(id);

      expect([id, operation?.request]).toEqual([id, generic?.request ?? `${method} ${path}`]);
      expect([id, operation?.onBehalfOf ?? "unsupported"]).toEqual([id, onBehalfOf]);
    }
  });

  it("call nothing that the list does not have", () => {
    const known = new Set(ownOperations().map(({ id }) => id));

    expect(methods.map(({ operation }) => operation.id).filter((id) => !known.has(id))).toEqual([]);
  });

  it("call each operation once", () => {
    expect(byId.size).toBe(methods.length);
  });
});

describe("the catalogue", () => {
  it("names no field that a method's input does not take", () => {
    const missing = ownOperations().flatMap(({ id, fields }) => {
      const operation = byId.get(id);
      if (!operation) return [];
      return fields.filter((field) => !takes(operation.input?.(), field)).map((field) => `${id}.${field}`);
    });

    // `id` of the flag is sent by the client itself, beside reasonId: the two versions of the pages disagree.
    expect(missing).toEqual(["flag-a-message.id"]);
  });

  it("lists the error codes of the table, with their status", () => {
    expect(new Map(Array.from(errorCodes(), ([code, { status }]) => [code, status ?? null]))).toEqual(
      new Map(documentedErrors().map(({ code, status }) => [code, status])),
    );
    expect(errorCodes().size).toBe(138);
  });

  it("lists the extensions and what their settings must have", () => {
    const required = new Map(
      documentedExtensions().flatMap(({ id, requiredSettings: names }) =>
        names ? [[id, names.toSorted()] as const] : [],
      ),
    );

    expect(extensionIds).toEqual(documentedExtensions().map(({ id }) => id));
    expect(
      new Map(Object.entries(requiredSettings).map(([id, names]) => [id, [...(names ?? [])].toSorted()])),
    ).toEqual(required);
  });
});

/** Tells whether a schema knows a field: a strict object complains about one it does not know, a union when none of its forms does. */
function takes(schema: z.ZodMiniType | undefined, field: string) {
  if (!schema) return false;
  const issues = z.safeParse(schema, { [field]: {} }).error?.issues ?? [];
  const isUnknown = (found: z.core.$ZodIssue[]) =>
    found.some((issue) => {
      if (issue.code === "invalid_union") return issue.errors.every(isUnknown);
      return issue.code === "unrecognized_keys" && issue.path.length === 0;
    });
  return !isUnknown(issues);
}
