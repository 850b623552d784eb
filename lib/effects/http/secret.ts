/** Stands for a value of the app's own secret. It holds the value's name, and cannot become a text. */
export interface SecretReference {
  readonly [Symbol.toPrimitive]: () => never;
  readonly toJSON: () => never;
}

/** References by identity: what comes with an event can look like one, and is none. */
const names = new WeakMap<object, string>();

/**
 * Stands in a request's header or body for a value of the app's own secret, which is filled in when the request leaves and
 * kept nowhere. The system's own fields of the secret, such as the platform's key, are none of these.
 * @throws TypeError for what is no such name, and when the reference is made a text, as in a URL
 * @example headers: { authorization: ["Bearer ", secret("ticket-token")] }
 */
export function secret(name: string): SecretReference {
  if (!isSecretName(name))
    throw new TypeError("A secret's name has letters, digits and hyphens, and is none of the system's own.");
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

/** Fields of an app's secret that the system itself reads (docs/deploy.md). */
const ownFields =
  /^(appId|region|apiKey|webhookSecret|(webhook|legacy|bot|notification|extension|moderation)(Username|Password))$/;

function isSecretName(name: unknown): boolean {
  return typeof name === "string" && /^[A-Za-z][A-Za-z0-9-]{0,63}$/.test(name) && !ownFields.test(name);
}
