import { marker } from "./oddities.ts";

/** The names of this package's errors that a wrong call may come to. */
const ours = new Set([
  ...["InvalidInputError", "WebhookAccessError", "StoreFileError", "StoreCheckError", "FlowNameError"],
  ...[
    "PermanentError",
    "InvalidPatternError",
    "InvalidAnswerError",
    "InvalidAnnotationError",
    "InvalidConfidenceError",
  ],
  ...["SeedError", "StateValueError", "RequestNotAllowedError", "PlatformError"],
]);

/** How else they say what is right: each says what it is about. */
const ownWords = [
  /^Cannot call [^:]+: ("[^"]+"|the input) (is missing; it )?must be .+\.$/s,
  /must be (a whole number from|the address of|the path|above 0|between|a valid|a number|a text|true or false|one of|an object|request or)/,
  /must (begin with|hold|not)/,
  /needs (a |its |.* name)|is no length of time|has no condition|names nothing that an event could fit/,
  /can be no request's|is not one of an HTTP API|has letters, digits and hyphens|The condition "/,
  /is a valid Date|is a whole number|has no option|There is no (switch|action)|has no (app|key|operation)|is not known for/,
  /^Give the store|^Name the queue/,
  /there was no way$|The options of a platform are an object|The action "[a-z-]+" needs |The clock only goes forward|^A flow waits for 1 second at least|^What a match was found by|^An answer (must|has)/,
  /is no event|is no delivery|is no crash|does not fit|No route takes|must be/,
];

/** Tells an error that says what is wrong from a bare one. */
export function isOurs(error: unknown, place: string): boolean {
  if (!(error instanceof Error)) return false;
  const { name, message } = error;
  const isOwn = ours.has(name) || ownWords.some((words) => words.test(message));
  return isOwn && !bare.test(message) && !(secretPlace.test(place) && message.includes(marker));
}

const secretPlace = /password|secret|key|credential|token/i;

/** What the language and its libraries say. */
const bare =
  /^Cannot (read|destructure|convert|set|use|mix)|is not (a function|iterable|an object|defined|a constructor)|hands off|no name$|Invalid (time value|URL|array length)|\[$/;
