import * as z from "zod/mini";
import { orSecret } from "../../secret-reference.ts";
import { calledUrl } from "../caller-credentials.ts";

export const urlOrSecret = () => orSecret(calledUrl(3_000));

/** The platform's form differs by kind; files have an object. */
export const headersSchema = () => z.record(z.string().check(z.minLength(1)), orSecret(z.string()));
