import { declaredUsersSchema } from "../lib/operate/user-seeding/declared-users.ts";
import type { ConfigTexts } from "./config-text.ts";
import { parseBy } from "./parse-by.ts";

/** Returns lower case. A stage's or an app's list adds to the others: replacing would silently end holds. */
export function legalHoldsOf(texts: ConfigTexts): readonly string[] {
  const filled = texts.filter(({ content }) => content !== null);
  const held = filled.flatMap((text) => parseBy(declaredUsersSchema, [text]).legalHold ?? []);
  return [...new Set(held)];
}
