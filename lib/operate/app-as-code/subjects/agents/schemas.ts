import * as z from "zod/mini";

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
