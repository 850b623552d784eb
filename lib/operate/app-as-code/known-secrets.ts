import { isOpenField } from "../../aws/secrets/parse-secret.ts";
import { hiderOf } from "../../base/known-secrets.ts";
import { isSecretField } from "./secret-reference.ts";

/** What an app's secret holds. */
export interface KnownSecrets {
  /** Undefined if the app's secret has no such field. */
  readonly textOf?: (name: string) => string | undefined;
  /** Replaces values of the app's secret within a text. */
  readonly hideSecrets?: (text: string) => string;
}

export function findSecrets(fields: Readonly<Record<string, unknown>>): Required<KnownSecrets> {
  const texts = Object.entries(fields).flatMap(([name, text]) =>
    typeof text === "object" || text === "" ? [] : [[name, String(text)] as const],
  );
  const values = new Map(texts);
  return {
    textOf: (name: string) => values.get(name),
    hideSecrets: hiderOf(texts.flatMap(([name, text]) => (isKnownSecret(name, text) ? text : []))),
  };
}

/** Without a secret's name, hosts and short texts of letters alone are none; very short ones never are. */
function isKnownSecret(name: string, text: string): boolean {
  if (text.length < 6 || isOpenField(name)) return false;
  return isSecretField(name) || !/^(https?:\/\/[\w.:-]+\/?|[\p{L} _-]{1,19})$/u.test(text);
}
