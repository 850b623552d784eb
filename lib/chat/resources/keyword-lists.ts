import * as z from "zod/mini";
import { acknowledgement, maybe, maybeFlag, maybeNumber, maybeText } from "../answers.ts";
import { opt, word, words } from "../fields.ts";
import type { Family } from "../operation.ts";

/** Words or patterns of rules. Times are unix seconds. */
const keywordListAnswer = () =>
  z.looseObject({
    id: z.string(),
    name: maybeText(),
    description: maybeText(),
    /** `word`, `pattern` or `sentence-similarity`. */
    category: maybeText(),
    isCSV: maybeFlag(),
    searchTerms: maybe(z.array(z.string())),
    createdAt: maybeNumber(),
    updatedAt: maybeNumber(),
    revisionId: maybeText(),
    active: maybeFlag(),
    default: maybeFlag(),
  });

const content = () => ({
  name: opt(word()),
  description: opt(word()),
  category: z.enum(["word", "pattern", "sentence-similarity"]),
  /** Each ≤ 100 characters; sent comma-separated, so none may contain a comma. */
  searchTerms: z.array(
    words(100).check(
      z.refine((term) => !term.includes(","), "free of commas: terms are sent comma-separated"),
    ),
  ),
  /** A CSV file instead of terms. */
  file: opt(z.custom<Blob>((value) => value instanceof Blob, "a Blob")),
});

/**
 * Keyword lists of moderation rules, at most 25 own ones. See
 * docs/internals/platform/moderation.md#keyword-lists.
 * @example
 * const { id } = await chat.keywordLists.create({ id: "rude", category: "word", searchTerms: ["darn"] });
 * await chat.keywordLists.update(id, { category: "word", searchTerms: ["darn", "heck"] });
 */
export const keywordLists = {
  /** Creates a list from terms or a CSV file. A duplicate's error is not documented. */
  create: {
    id: "create-rule-keyword",
    request: "POST /moderation/keywords",
    form: true,
    input: () => z.strictObject({ id: opt(words(100)), ...content() }),
    answer: keywordListAnswer,
  },
  /** Lists the keyword lists; `profanity-list` is built in. One page. */
  list: {
    id: "list-rule-keywords",
    request: "GET /moderation/keywords",
    paged: "once",
    answer: keywordListAnswer,
  },
  /** Reads a list. Errors: ERR_KEYWORD_NOT_FOUND. */
  get: {
    id: "get-rule-keyword",
    request: "GET /moderation/keywords/{keywordId}",
    answer: keywordListAnswer,
  },
  /** Changes a list. Errors: ERR_KEYWORD_NOT_FOUND. Each call may create a revision. */
  update: {
    id: "update-rule-keyword",
    request: "PUT /moderation/keywords/{keywordId}",
    form: true,
    input: () => z.strictObject({ id: opt(words(100)), ...content() }),
    answer: keywordListAnswer,
  },
  /** Deletes a list. Errors: ERR_KEYWORD_NOT_FOUND (after an unclear try: done). */
  delete: {
    id: "delete-rule-keyword",
    request: "DELETE /moderation/keywords/{keywordId}",
    answer: acknowledgement,
  },
} as const satisfies Family;
