import { marker } from "./oddities.ts";

/** Tells an error that says what is wrong from a bare one. */
export function isOurs(error: unknown, place: string): boolean {
  if (!(error instanceof Error)) return false;
  const { message } = error;
  return !bare.test(message) && !(secretPlace.test(place) && message.includes(marker));
}

const secretPlace = /password|secret|key|credential|token/i;

/** What the language and its libraries say. */
const bare =
  /^Cannot (read|destructure|convert|set|use|mix)|is not (a function|iterable|an object|defined|a constructor)|hands off|no name$|Invalid (time value|URL|array length)|\[$/;
