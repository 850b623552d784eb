import { badRequest } from "../errors/failures.ts";
import { readForm } from "../http/form.ts";
import type { AppRequest } from "../http/route.ts";
import type { KeywordList } from "./rule.ts";

/** What a form says about a keyword list. */
export type KeywordForm = { id?: string; name?: string; description?: string } & Pick<
  KeywordList,
  "category" | "isCSV" | "searchTerms" | "disallowedSentences"
>;

/**
 * Reads the multipart form of the two keyword writes. The terms come from a CSV file or, without one, from
 * `searchTerms`; a list of category sentence-similarity has `disallowedSentences` (repeated or one per line) instead.
 * @throws PlatformError ERR_BAD_REQUEST
 * @see docs/platform/moderation.md#keyword-lists
 */
export async function readKeywordForm(request: AppRequest): Promise<KeywordForm> {
  const form = await readForm(request);
  const text = (field: string) => {
    const value = form.get(field);
    return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
  };
  const category = text("category");
  if (category === undefined || !categories.includes(category)) {
    throw badRequest({ category: `The category must be one of: ${categories.join(", ")}.` });
  }
  const file = form.get("file");
  const csv = file === null || typeof file === "string" ? undefined : await file.text();
  const id = text("id");
  const name = text("name");
  const description = text("description");
  return {
    ...(id === undefined ? {} : { id }),
    ...(name === undefined ? {} : { name }),
    ...(description === undefined ? {} : { description }),
    category,
    isCSV: csv !== undefined,
    ...readTerms(category, csv ?? text("searchTerms"), readSentences(form)),
  };
}

function readSentences(form: FormData): string[] {
  return [...form.getAll("disallowedSentences"), ...form.getAll("disallowedSentences[]")].flatMap((value) =>
    typeof value === "string" ? splitLines(value) : [],
  );
}

function readTerms(
  category: string,
  terms: string | undefined,
  sentences: string[],
): Pick<KeywordList, "searchTerms" | "disallowedSentences"> {
  if (category === "sentence-similarity") {
    const all = sentences.length > 0 ? sentences : splitLines(terms ?? "");
    if (all.length === 0) {
      throw badRequest({ disallowedSentences: "The disallowedSentences field is required." });
    }
    return { searchTerms: [], disallowedSentences: all };
  }
  const searchTerms = splitLines(terms ?? "").flatMap((line) => splitCells(line));
  if (searchTerms.length === 0) throw badRequest({ searchTerms: "The searchTerms field is required." });
  if (searchTerms.some((term) => term.length > maxTermLength)) {
    throw badRequest({ searchTerms: `A term may not be greater than ${maxTermLength} characters.` });
  }
  return { searchTerms };
}

function splitLines(value: string): string[] {
  return value.split(/\r?\n/).flatMap((line) => (line.trim() === "" ? [] : [line.trim()]));
}

// Commas inside double quotes stay: patterns need them.
function splitCells(line: string): string[] {
  return [...line.matchAll(/"((?:[^"]|"")*)"|([^,]+)/g)].flatMap(([, quoted, plain]) => {
    const cell = (quoted?.replaceAll('""', '"') ?? plain ?? "").trim();
    return cell === "" ? [] : [cell];
  });
}

const categories = ["word", "pattern", "sentence-similarity"];

// 100 characters a keyword (docs/platform/ids-and-limits.md#texts).
const maxTermLength = 100;
