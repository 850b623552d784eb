/** The forms of a secret in logs, answers and addresses; SECURITY.md lists them. */
export const secretForms: readonly (readonly [form: string, write: (secret: string) => string])[] = [
  ["plain", (secret) => secret],
  ["capitals", (secret) => secret.toUpperCase()],
  ["small letters", (secret) => secret.toLowerCase()],
  ["another case of each letter", (secret) => swapCase(secret)],
  ["JSON", (secret) => json(secret)],
  ["JSON in JSON", (secret) => json(json(secret))],
  ["JSON in JSON in JSON", (secret) => json(json(json(secret)))],
  ["JSON in ASCII", (secret) => ascii(json(secret))],
  ["JSON in ASCII in JSON", (secret) => json(ascii(json(secret)))],
  ["JSON in capitals", (secret) => json(secret).toUpperCase()],
  ["URL", (secret) => encodeURIComponent(secret)],
  ["URL with small hex digits", (secret) => smallDigits(encodeURIComponent(secret))],
  ["URL twice", (secret) => encodeURIComponent(encodeURIComponent(secret))],
  [
    "URL twice with small hex digits",
    (secret) => smallDigits(encodeURIComponent(encodeURIComponent(secret))),
  ],
  ["form", (secret) => new URLSearchParams([["", secret]]).toString().slice(1)],
  ["each byte of a URL", (secret) => hex(secret).replace(/../g, "%$&")],
  ["JSON in a URL", (secret) => encodeURIComponent(json(secret))],
  ["URL in JSON", (secret) => json(encodeURIComponent(secret))],
  ["HTML", (secret) => html(secret)],
  ["HTML with decimal entities", (secret) => each(secret, (point) => `&#${point};`)],
  ["HTML with hex entities", (secret) => each(secret, (point) => `&#x${point.toString(16)};`)],
  ["HTML twice", (secret) => html(html(secret))],
  ["hex", (secret) => hex(secret)],
  ["hex in capitals", (secret) => hex(secret).toUpperCase()],
  ["Base64", (secret) => base64(secret)],
  ["Base64 after one byte", (secret) => base64(`:${secret}`).slice(2)],
  ["Base64 after two bytes", (secret) => base64(`b:${secret}`).slice(3)],
  ["base64url", (secret) => base64url(secret)],
  ["Base64 in a URL", (secret) => encodeURIComponent(base64(secret))],
  ["Basic of a user", (secret) => `Basic ${base64(`bob:${secret}`)}`],
];

/** What may remain of a form: the user of Basic credentials, padding, and one letter with bits of others. */
export const harmlessRest = /^(Basic (Ym9iO)?)?[\w+/-]?\[redacted\][\w+/-]?(=|%3D)*$/;

const json = (text: string) => JSON.stringify(text).slice(1, -1);
const hex = (text: string) => Buffer.from(text).toString("hex");
const base64 = (text: string) => Buffer.from(text).toString("base64");
const base64url = (text: string) => Buffer.from(text).toString("base64url");
const each = (text: string, write: (point: number) => string) =>
  [...text].map((letter) => write(letter.codePointAt(0) ?? 0)).join("");
const ascii = (text: string) =>
  text.replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
const smallDigits = (text: string) => text.replace(/%(?:25)?[\dA-F]{2}/g, (code) => code.toLowerCase());
const swapCase = (text: string) =>
  text.replace(/\p{L}/gu, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
const entities: Readonly<Record<string, string>> = {
  "&": "amp",
  "<": "lt",
  ">": "gt",
  '"': "quot",
  "'": "apos",
};
const html = (text: string) => text.replace(/[&<>"']/g, (letter) => `&${entities[letter] ?? ""};`);
