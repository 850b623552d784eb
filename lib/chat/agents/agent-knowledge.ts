import * as z from "zod/mini";
import { recordOf } from "../../base/record-of.ts";
import { acknowledgement, maybeFlag, maybeNumber, maybeText } from "../answers.ts";
import type { Family } from "../operation.ts";
import { int, looseObject, opt, optional, strictObject, word, words } from "../schema.ts";
import { cursorQuery, deleted, polled, someWords, statuses, times } from "./agent-input.ts";

const uniqueIds = () => strictObject({ uniqueIds: someWords });
const uploadAnswer = () =>
  looseObject({
    uploadId: word,
    fileName: word,
    presignedUrl: word,
    mimeType: maybeText,
    fileSize: maybeNumber,
    s3Key: maybeText,
  });

/** The year 9999, in milliseconds. */
const endOfTime = 253_402_300_799_999;

/**
 * What agents know: sources by type (`uploads`, `text`, `website`). `uploadKnowledge` takes a file through
 * all steps. See docs/internals/platform/ai-agents.md#knowledge.
 * @example
 * const { uniqueId } = await chat.agentTexts.create({ title: "Returns", text: "Within 30 days." });
 * const { uid } = await chat.agents.create({ name: "Support" });
 * await chat.agentKnowledge.addTo(uid, "text", { uniqueIds: [uniqueId] });
 * console.log(await chat.agentKnowledge.status({ uniqueId: [uniqueId] }));
 */
export const agentKnowledge = {
  /** Returns a signed URL for each file, at most 50 MB. Harmless if repeated. */
  startUploads: {
    id: "initiate-file-uploads",
    request: "POST /ai-agents/agent-builder/knowledge-base/uploads/initiate",
    input: () =>
      strictObject({
        files: z
          .array(
            strictObject({
              fileName: words(1_000),
              mimeType: words(200),
              fileSize: int(1, 50 * 1024 ** 2),
            }),
          )
          .check(z.minLength(1)),
      }),
    answer: () => looseObject({ uploads: z.array(uploadAnswer()) }),
  },
  /** Deletes a file, also from its agents. Errors: ERR_KB_NOT_FOUND. */
  deleteUpload: {
    id: "delete-uploaded-file",
    request: "DELETE /ai-agents/agent-builder/knowledge-base/uploads/{uniqueId}",
    answer: deleted,
  },
  /**
   * Lists sources, newest first. The pages require `start` and `end` and do not describe them: they are sent
   * as `startTime` and `endTime`, by default for all times.
   */
  list: {
    id: "list-knowledge-base-records",
    request: "GET /ai-agents/agent-builder/knowledge-base",
    input: () =>
      strictObject({ ...cursorQuery(), start: opt(int), end: opt(int) }).check(
        z.overwrite((query) => {
          const { startTime = 0, endTime = endOfTime, start = startTime, end = endTime } = query;
          return { ...query, start, end };
        }),
      ),
    paged: "cursor",
    answer: () =>
      looseObject({
        uniqueId: word,
        sourceName: maybeText,
        type: maybeText,
        status: maybeText,
        lastSynced: maybeNumber,
        ...times,
      }),
  },
  /**
   * Lists the pages of a source, from `page` 1, `limit` (default 1) a request. `meta.sourceDetails` of a page
   * has their number. Errors: ERR_KB_NOT_FOUND.
   */
  pages: {
    id: "get-source-pages",
    request: "GET /ai-agents/agent-builder/knowledge-base/{sourceType}/{uniqueId}/pages",
    input: () =>
      strictObject(
        optional({
          page: int(1),
          limit: int(1),
          affix: z.enum(["append", "prepend"]),
        }),
      ),
    paged: "page",
    items: "pageContent",
    answer: () => looseObject({ content: maybeText, pageNumber: maybeNumber, charCount: maybeNumber }),
  },
  /** Indexes a source again. Errors: ERR_KB_NOT_FOUND. Harmless if repeated. */
  retry: {
    id: "retry-knowledge-base-source-indexing",
    request: "PATCH /ai-agents/agent-builder/knowledge-base/{sourceType}/{uniqueId}/sync",
    answer: acknowledgement,
  },
  /** Reads `indexing`, `indexed`, `inSync` or `failed` by id: poll it. Harmless if repeated. */
  status: {
    id: "poll-knowledge-base-status",
    request: "POST /ai-agents/agent-builder/knowledge-base/status/poll",
    input: polled,
    answer: statuses,
  },
  /** Adds sources of one type to an agent. */
  addTo: {
    id: "add-knowledge-base-files",
    request: "PATCH /ai-agents/agent-builder/agents/{uid}/knowledge-base/{sourceType}/add",
    input: uniqueIds,
    answer: acknowledgement,
  },
  /** Removes sources from an agent; they stay in the app. */
  removeFrom: {
    id: "remove-knowledge-base-files",
    request: "PATCH /ai-agents/agent-builder/agents/{uid}/knowledge-base/{sourceType}/remove",
    input: uniqueIds,
    answer: acknowledgement,
  },
} as const satisfies Family;

/** A text that agents know. */
const textEntryAnswer = () =>
  looseObject({
    uniqueId: word,
    ...recordOf(["title", "text", "fileName", "s3Key", "status", "vectorizationStatus"], maybeText),
    isActive: maybeFlag,
    ...times,
  });

/**
 * Texts that agents know. See docs/internals/platform/ai-agents.md#knowledge.
 * @example
 * const { uniqueId } = await chat.agentTexts.create({ title: "Returns", text: "Within 30 days." });
 * await chat.agentTexts.update(uniqueId, { text: "Within 60 days." }); // it is indexed again
 */
export const agentTexts = {
  /** Creates a text, which is then indexed. Each call creates one. */
  create: {
    id: "create-text-entry",
    request: "POST /ai-agents/agent-builder/knowledge-base/text",
    input: () => strictObject({ title: words(500), text: words(5_000) }),
    answer: textEntryAnswer,
  },
  /** Lists all texts. One page. */
  list: {
    id: "list-text-entries",
    request: "GET /ai-agents/agent-builder/knowledge-base/text",
    paged: "once",
    answer: textEntryAnswer,
  },
  /** Reads a text. Errors: ERR_KB_NOT_FOUND. */
  get: {
    id: "get-text-entry",
    request: "GET /ai-agents/agent-builder/knowledge-base/text/{uniqueId}",
    answer: textEntryAnswer,
  },
  /** Changes a text, which is then indexed again. Errors: ERR_KB_NOT_FOUND. */
  update: {
    id: "update-text-entry",
    request: "PATCH /ai-agents/agent-builder/knowledge-base/text/{uniqueId}",
    input: () => strictObject(optional({ title: words(500), text: words(5_000) })),
    answer: textEntryAnswer,
  },
  /** Deletes a text, also from its agents. Errors: ERR_KB_NOT_FOUND. */
  delete: {
    id: "delete-text-entry",
    request: "DELETE /ai-agents/agent-builder/knowledge-base/text/{uniqueId}",
    answer: deleted,
  },
} as const satisfies Family;
