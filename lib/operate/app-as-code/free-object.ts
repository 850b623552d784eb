import * as z from "zod/mini";
import { isRecord } from "../../base/json.ts";
import type { Fields } from "./thing.ts";

/** Keeps each key: a record of zod drops `__proto__`. */
export const freeObject = () => z.custom<Fields>(isRecord, "expected keys with values");
