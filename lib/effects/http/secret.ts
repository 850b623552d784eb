import { isSystemField } from "../../aws/secrets/system-fields.ts";

/** Stands for a value of the app's secret. It holds the value's name and cannot be converted to a text. */
export interface SecretReference {
  readonly [Symbol.toPrimitive]: () => never;
  readonly toJSON: () => never;
}

/** References are recognized by identity: an event's data can look like one. */
const names = new WeakMap<object, string>();

/**
 * Refers to a value of the app's secret in a request's header or body. It is filled in when the request is
 * sent, and stored nowhere. The system's own fields, such as the platform's key, are not available.
 * @throws TypeError for an invalid name, and if converted to a text, as in a URL
 * @example headers: { authorization: ["Bearer ", secret("ticket-token")] }
 */
export function secret(name: string): SecretReference {
  if (!isSecretName(name))
    throw new TypeError(
      "A secret's name has letters, digits and hyphens, and is not one of the system's own.",
    );
  const refuse = (): never => {
    throw new TypeError(
      `The secret "${name}" is no text: name it as (part of) a header, or as a value of the body.`,
    );
  };
  const reference = { [Symbol.toPrimitive]: refuse, toJSON: refuse };
  names.set(reference, name);
  return reference;
}

export function secretNameOf(value: unknown): string | undefined {
  return typeof value === "object" && value !== null ? names.get(value) : undefined;
}

function isSecretName(name: unknown): boolean {
  return typeof name === "string" && /^[A-Za-z][A-Za-z0-9-]{0,63}$/.test(name) && !isSystemField(name);
}
