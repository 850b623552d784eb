/**
 * A Map, a Blob or a form would become `{}`.
 * @throws TypeError for circular references, and the errors of its own `toJSON`
 */
export function isJsonBody(value: object): boolean {
  const json: string | undefined = JSON.stringify(value);
  return json !== undefined && (json !== "{}" || isBare(value));
}

/** Also for objects of another realm, as in test runners. */
function isBare(value: object) {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
