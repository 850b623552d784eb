import type { LocalStack } from "../stack/local-stack.ts";
import { appsOf, keysOf } from "./ask-platform.ts";

// A message's or user's data is written back after an edit: names alone must not mask it.
const authToken = /("authToken"\s*:\s*")([a-z0-9_-]+_\d{10}[0-9a-f]{16,})(?=")/g;
const maskInPath = /(?:%E2%80%A2){4}([\w-]+)/gi;

/** Masks the platform's API keys, the management key and auth tokens, and remembers what it masked. */
export class SecretMasks {
  readonly #localStack: Pick<LocalStack, "platform" | "management">;
  readonly #values = new Map<string, string>();

  constructor(localStack: Pick<LocalStack, "platform" | "management">) {
    this.#localStack = localStack;
  }

  hide(text: string): string {
    const { key, secret } = this.#localStack.management;
    const keys = appsOf(this.#localStack).flatMap(({ appId }) => keysOf(this.#localStack, appId));
    return [...keys.map(({ apiKey }) => apiKey), key, secret]
      .reduce(
        (clean, value) => (clean.includes(value) ? clean.replaceAll(value, this.#mask(value)) : clean),
        text,
      )
      .replace(authToken, (_, field: string, token: string) => field + this.#mask(token));
  }

  /** @returns undefined for an unknown mask */
  reveal(mask: string): string | undefined {
    return this.#values.get(mask);
  }

  /** Restores secrets in a URL's path, because the page only has masks. Query texts stay. */
  restore(url: string): string {
    const restored = (mask: string) => this.reveal(decodeURIComponent(mask)) ?? mask;
    return url.replace(/^[^?]*/, (path) => path.replace(maskInPath, restored));
  }

  /** Secrets with the same end get different masks; none shows more than eight characters. */
  #mask(secret: string) {
    const masks = [4, 5, 6, 7, 8].map((shown) => maskSecret(secret, shown));
    const free = masks.find((mask) => (this.#values.get(mask) ?? secret) === secret) ?? noneShown;
    if (free !== noneShown) this.#values.set(free, secret);
    return free;
  }
}

const leastLength = 12;
const noneShown = "••••";

/** Shows the last four characters of a secret of at least twelve; none of a shorter one. */
export function maskSecret(secret: string, shownCharacters = 4): string {
  return secret.length < leastLength ? noneShown : noneShown + secret.slice(-shownCharacters);
}
