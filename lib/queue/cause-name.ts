import { sha256Hex } from "../base/digest.ts";

interface Caused {
  readonly appId: string;
  readonly trigger: string;
  readonly reason: string;
  readonly cause: string;
}

export function causeNameOf({ appId, trigger, reason, cause }: Caused): string {
  const common = commonCauseOf(cause);
  const [word = reason] = code.exec(common) ?? errorName.exec(common) ?? [];
  const digest = sha256Hex([appId, trigger, reason, common].join("\n")).slice(0, digestCharacters);
  return `${word.replaceAll(/[^\w-]/g, "").slice(0, mostWordCharacters) || "cause"}-${digest}`;
}

/**
 * Omits what differs per message: ids, numbers, times, addresses, quoted values, and another host's text
 * after its code; and the effect, which may be named after its message.
 */
export function commonCauseOf(cause: string): string {
  return cause
    .slice(0, mostCauseCharacters)
    .replace(/ \(effect ".*"\)$/s, "")
    .split("; caused by ")
    .map(commonPartOf)
    .join("; caused by ")
    .slice(0, mostCommonCharacters);
}

const code = /\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/;
const errorName = /^(?:[A-Z]\w*)?Error\b/;
const refusal = new RegExp(`(was refused with \\d+(?: ${code.source})?|^(?:\\w+: )?${code.source}).*$`, "s");
/** Messages of these errors quote only names in code (lib/base/describe-error.ts). */
const ofTheLanguage = /^(?:Type|Syntax|Range|Reference)Error\b/;
const left = "…";

function commonPartOf(part: string) {
  const withoutWords = part
    .replace(refusal, "$1")
    .replace(/ It said: .*$/s, "")
    .replace(/,? ?requestId [^\s,)]+/g, "")
    .replace(/\b(?:[a-z][a-z0-9+.-]*):\/\/\S+/gi, left);
  const withoutValues = ofTheLanguage.test(part)
    ? withoutWords
    : withoutWords.replace(/(["'`]).*?\1/gs, left);
  return withoutValues
    .replace(/[^\s,;:()[\]{}"'`]+/g, (word, at, whole) => (isCommon(word, whole.slice(0, at)) ? word : left))
    .replace(/…(?:[\s,:]*…)+/g, left)
    .replace(/\s+/g, " ")
    .trim();
}

function isCommon(word: string, before: string) {
  if (code.exec(word)?.[0] === word) return true;
  if (/^[1-5]\d\d$/.test(word)) return /\b(?:with|status) $/.test(before);
  // The id of a one-to-one conversation contains its users' ids.
  return !/[\d@]/.test(word) && !/^group_|_user_/.test(word) && word.length <= mostWordCharacters;
}

const digestCharacters = 6;
const mostWordCharacters = 60;
const mostCauseCharacters = 1000;
const mostCommonCharacters = 200;
