/**
 * Says whether an object can be a body as JSON. One that keeps what it holds to itself, such as a Map, a Blob or a form, would
 * be sent as `{}`. @throws TypeError for what refers to itself, and what its own `toJSON` throws
 */
export function isJsonBody(value: object): boolean {
  const json: string | undefined = JSON.stringify(value);
  return json !== undefined && (json !== "{}" || isBare(value));
}

/** Of another realm, too, as test runners have them. */
function isBare(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
