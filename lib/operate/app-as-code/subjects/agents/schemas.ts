import * as z from "zod/mini";
import { isSecretAt, secretReferenceSchema } from "../../secret-reference.ts";

export const someText = () => z.string().check(z.minLength(1));

export const textUpTo = (max: number) => z.string().check(z.minLength(1), z.maxLength(max));

export const httpsUrl = () =>
  z.string().check(z.regex(/^https:\/\/\S+$/, "expected an address that begins with https://"));

/** That a model chooses. */
export const parametersSchema = () =>
  z.array(
    z.strictObject({
      key: textUpTo(100),
      type: someText(),
      description: z.string(),
      required: z.optional(z.boolean()),
    }),
  );

/** A value that is no usual one stands in the app's secret. */
export const headersSchema = () =>
  z
    .record(z.string().check(z.minLength(1)), z.union([z.string(), secretReferenceSchema]))
    .check(
      z.refine(
        (headers) => !Object.entries(headers).some(([name, value]) => isSecretAt(["headers", name], value)),
        "a secret must not stand here: put it into the app's secret, and write { secret: <its field there> }",
      ),
    );
