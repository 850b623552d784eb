import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { errorCodes } from "../../lib/chat/error-codes.ts";
import { extensionIds, requiredSettings } from "../../lib/chat/management/extension-settings.ts";
import { ownOperations } from "../../local/platform/catalogue/catalogue.ts";
import { documentedErrors, documentedExtensions } from "../helpers/catalogue.ts";
import { clientMethods, settingsOperationFor } from "./client-operations.ts";
import { differing, printed } from "./printed-answers.ts";

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

  it("call only listed operations", () => {
    const known = new Set(ownOperations().map(({ id }) => id));

    expect(methods.map(({ operation }) => operation.id).filter((id) => !known.has(id))).toEqual([]);
  });

  it("call each operation once", () => {
    expect(byId.size).toBe(methods.length);
  });
});

describe("the catalogue", () => {
  it("names only fields that a method's input accepts", () => {
    const missing = ownOperations().flatMap(({ id, fields }) => {
      const operation = byId.get(id);
      if (!operation) return [];
      return fields.filter((field) => !takes(operation.input?.(), field)).map((field) => `${id}.${field}`);
    });

    // The client itself sends the flag's `id`, beside reasonId: the two versions of the pages disagree.
    expect(missing).toEqual(["flag-a-message.id"]);
  });

  it("lists the error codes of the table, with their status", () => {
    expect(new Map(Array.from(errorCodes(), ([code, { status }]) => [code, status ?? null]))).toEqual(
      new Map(documentedErrors().map(({ code, status }) => [code, status])),
    );
    expect(errorCodes().size).toBe(138);
  });

  it("lists the extensions and their required settings", () => {
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

it("a printed answer belongs to an operation, and each listed difference to a printed answer", () => {
  const ids = ownOperations().map(({ api, id }) => `${api} ${id}`);

  expect([...printed.keys()].filter((id) => !ids.includes(id))).toEqual([]);
  expect([...differing.keys()].filter((id) => !printed.has(id))).toEqual([]);
  expect(printed.size).toBeGreaterThan(300);
});

/**
 * Checks if a schema has a field: a strict object refuses an unknown one, a union if none of its forms has
 * it.
 */
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
