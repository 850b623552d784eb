import * as z from "zod/mini";
import { secretReferenceSchema } from "../../secret-reference.ts";
import { calledUrl } from "../caller-credentials.ts";

/** Or a reference, if the value is or has a secret. */
export const orSecret = <Schema extends z.ZodMiniType>(schema: Schema) =>
  z.union([schema, secretReferenceSchema]);

export const urlOrSecret = () => orSecret(calledUrl(3_000));

/** The platform's form differs by kind; files have an object. */
export const headersSchema = () => z.record(z.string().check(z.minLength(1)), orSecret(z.string()));
