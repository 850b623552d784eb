/** Stands for a value of the app's own secret. It holds the value's name, and cannot become a text. */
export interface SecretReference {
  readonly [Symbol.toPrimitive]: () => never;
  readonly toJSON: () => never;
}

/** References by identity: what comes with an event can look like one, and is none. */
const names = new WeakMap<object, string>();

/**
 * Stands in a request's header or body for a value of the app's own secret, which is filled in when the request leaves and
 * kept nowhere. Names are of small letters, digits and hyphens.
 * @throws TypeError for another name, and when the reference is made a text, as in a URL
 * @example headers: { authorization: ["Bearer ", secret("ticket-token")] }
 */
export function secret(name: string): SecretReference {
  if (!isSecretName(name)) throw new TypeError("A secret's name has small letters, digits and hyphens only.");
  const refuse = (): never => {
    throw new TypeError(
      `The secret "${name}" is no text: name it as (part of) a header, or as a value of the body.`,
    );
  };
  const reference = { [Symbol.toPrimitive]: refuse, toJSON: refuse };
  names.set(reference, name);
  return reference;
}

/** Gives the name that a reference stands for; undefined for anything else. */
export function secretNameOf(value: unknown): string | undefined {
  return typeof value === "object" && value !== null ? names.get(value) : undefined;
}

/** The system's own fields of an app's secret are in camel case, but for one. */
export function isSecretName(name: string): boolean {
  return /^[a-z][a-z0-9-]{0,63}$/.test(name) && name !== "region";
}
