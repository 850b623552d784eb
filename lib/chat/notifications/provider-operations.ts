import type { Schema } from "../schema.ts";

/**
 * The platform's ids have the verb between two texts. Schemas are arguments so that the package's types name
 * them.
 */
export function providerOperations<
  const Before extends string,
  const After extends string,
  const Path extends string,
  Input extends () => Schema,
  Update extends () => Schema,
  Answer extends () => Schema,
  Deleted extends () => Schema,
>(
  before: Before,
  after: After,
  path: Path,
  { input, update, answer, deleted }: { input: Input; update: Update; answer: Answer; deleted: Deleted },
) {
  return {
    /** Reads the configuration. */
    get: { id: `${before}list${after}`, request: `GET /notifications/${path}`, answer },
    /** Stores the configuration for the first time. Harmless if repeated. */
    save: { id: `${before}save${after}`, request: `POST /notifications/${path}`, input, answer },
    /** Changes the given fields. */
    update: { id: `${before}update${after}`, request: `PUT /notifications/${path}`, input: update, answer },
    /** Deletes the configuration. */
    delete: { id: `${before}delete${after}`, request: `DELETE /notifications/${path}`, answer: deleted },
  } as const;
}
