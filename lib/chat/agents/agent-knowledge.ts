import * as z from "zod/mini";
import { isRecord } from "../../base/json.ts";
import {
  acknowledgement,
  mapOf,
  maybeFlag,
  maybeNumber,
  maybeObject,
  maybeText,
  maybeTexts,
} from "../answers.ts";
import { int, link, list, opt, words, yesNo } from "../fields.ts";
import type { Family } from "../operation.ts";
import { cursorQuery, someWords, times } from "./agent-input.ts";

const uniqueIds = () => z.strictObject({ uniqueIds: someWords() });
const polled = () => z.strictObject({ uniqueId: someWords() });
const statuses = () => mapOf(z.string());

const deleted = () =>
  z.looseObject({
    uniqueId: maybeText(),
    uploadId: maybeText(),
    fileName: maybeText(),
    deletedFromAgents: maybeFlag(),
    vectorsDeleted: maybeFlag(),
  });

const uploadAnswer = () =>
  z.looseObject({
    uploadId: z.string(),
    fileName: z.string(),
    presignedUrl: z.string(),
    mimeType: maybeText(),
    fileSize: maybeNumber(),
    s3Key: maybeText(),
  });

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
  /**
   * Returns a signed URL for each file, at most 50 MB. Not repeated after unclear failures, though harmless.
   */
  startUploads: {
    id: "initiate-file-uploads",
    request: "POST /ai-agents/agent-builder/knowledge-base/uploads/initiate",
    input: () =>
      z.strictObject({
        files: z
          .array(
            z.strictObject({
              fileName: words(1_000),
              mimeType: words(200),
              fileSize: int(1, 50 * 1024 ** 2),
            }),
          )
          .check(z.minLength(1)),
      }),
    answer: () => z.looseObject({ uploads: z.array(uploadAnswer()) }),
  },
  /** Deletes a file, also from its agents. Errors: ERR_KB_NOT_FOUND. Repeatable. */
  deleteUpload: {
    id: "delete-uploaded-file",
    request: "DELETE /ai-agents/agent-builder/knowledge-base/uploads/{uniqueId}",
    answer: deleted,
  },
  /**
   * Lists sources, newest first. The pages require `start` and `end` and do not describe them: give them the
   * values of `startTime` and `endTime`. Repeatable.
   */
  list: {
    id: "list-knowledge-base-records",
    request: "GET /ai-agents/agent-builder/knowledge-base",
    input: () => z.strictObject({ ...cursorQuery(), start: opt(int()), end: opt(int()) }),
    paged: "cursor",
    answer: () =>
      z.looseObject({
        uniqueId: z.string(),
        sourceName: maybeText(),
        type: maybeText(),
        status: maybeText(),
        lastSynced: maybeNumber(),
        ...times(),
      }),
  },
  /** Reads pages of a source, from `page` 1, by default one. Errors: ERR_KB_NOT_FOUND. Repeatable. */
  pages: {
    id: "get-source-pages",
    request: "GET /ai-agents/agent-builder/knowledge-base/{sourceType}/{uniqueId}/pages",
    input: () =>
      z.strictObject({
        page: opt(int(1)),
        limit: opt(int(1)),
        affix: opt(z.enum(["append", "prepend"])),
      }),
    answer: () =>
      z.pipe(
        z.transform((data: unknown) => (isRecord(data) ? data : { pageContent: data })),
        z.looseObject({
          sourceDetails: maybeObject(),
          pageContent: z.array(
            z.looseObject({
              content: maybeText(),
              pageNumber: maybeNumber(),
              charCount: maybeNumber(),
            }),
          ),
        }),
      ),
  },
  /**
   * Indexes a source again. Errors: ERR_KB_NOT_FOUND. Not repeated after unclear failures, though harmless.
   */
  retry: {
    id: "retry-knowledge-base-source-indexing",
    request: "PATCH /ai-agents/agent-builder/knowledge-base/{sourceType}/{uniqueId}/sync",
    answer: acknowledgement,
  },
  /**
   * Reads `indexing`, `indexed`, `inSync` or `failed` by id; polling is the only way. Not repeated after
   * unclear failures, though harmless.
   */
  status: {
    id: "poll-knowledge-base-status",
    request: "POST /ai-agents/agent-builder/knowledge-base/status/poll",
    input: polled,
    answer: statuses,
  },
  /** Adds sources of one type to an agent. Not repeated after unclear failures. */
  addTo: {
    id: "add-knowledge-base-files",
    request: "PATCH /ai-agents/agent-builder/agents/{uid}/knowledge-base/{sourceType}/add",
    input: uniqueIds,
    answer: acknowledgement,
  },
  /** Removes sources from an agent; they stay in the app. Not repeated after unclear failures. */
  removeFrom: {
    id: "remove-knowledge-base-files",
    request: "PATCH /ai-agents/agent-builder/agents/{uid}/knowledge-base/{sourceType}/remove",
    input: uniqueIds,
    answer: acknowledgement,
  },
} as const satisfies Family;

/** A text that agents know. */
const textEntryAnswer = () =>
  z.looseObject({
    uniqueId: z.string(),
    title: maybeText(),
    text: maybeText(),
    fileName: maybeText(),
    s3Key: maybeText(),
    status: maybeText(),
    vectorizationStatus: maybeText(),
    isActive: maybeFlag(),
    ...times(),
  });

/**
 * Texts that agents know. See docs/internals/platform/ai-agents.md#knowledge.
 * @example
 * const { uniqueId } = await chat.agentTexts.create({ title: "Returns", text: "Within 30 days." });
 * await chat.agentTexts.update(uniqueId, { text: "Within 60 days." }); // it is indexed again
 */
export const agentTexts = {
  /** Creates a text, which is then indexed. Not repeated after unclear failures: each call creates one. */
  create: {
    id: "create-text-entry",
    request: "POST /ai-agents/agent-builder/knowledge-base/text",
    input: () => z.strictObject({ title: words(500), text: words(5_000) }),
    answer: textEntryAnswer,
  },
  /** Lists all texts. One page. Repeatable. */
  list: {
    id: "list-text-entries",
    request: "GET /ai-agents/agent-builder/knowledge-base/text",
    paged: "once",
    answer: textEntryAnswer,
  },
  /** Reads a text. Errors: ERR_KB_NOT_FOUND. Repeatable. */
  get: {
    id: "get-text-entry",
    request: "GET /ai-agents/agent-builder/knowledge-base/text/{uniqueId}",
    answer: textEntryAnswer,
  },
  /**
   * Changes a text, which is then indexed again. Errors: ERR_KB_NOT_FOUND. Not repeated after unclear
   * failures.
   */
  update: {
    id: "update-text-entry",
    request: "PATCH /ai-agents/agent-builder/knowledge-base/text/{uniqueId}",
    input: () => z.strictObject({ title: opt(words(500)), text: opt(words(5_000)) }),
    answer: textEntryAnswer,
  },
  /** Deletes a text, also from its agents. Errors: ERR_KB_NOT_FOUND. Repeatable. */
  delete: {
    id: "delete-text-entry",
    request: "DELETE /ai-agents/agent-builder/knowledge-base/text/{uniqueId}",
    answer: deleted,
  },
} as const satisfies Family;

const batch = () =>
  z.looseObject({
    batchId: z.string(),
    urlsProcessed: maybeNumber(),
    totalUrls: maybeNumber(),
    totalRequested: maybeNumber(),
    excludedUrls: maybeNumber(),
    status: maybeText(),
    processedUrls: maybeTexts(),
  });

/**
 * Websites that agents know: scraped, then processed page by page. See
 * docs/internals/platform/ai-agents.md#websites.
 * @example
 * const { crawlId } = await chat.agentWebsites.scrape({ url: "https://docs.example.com", maxPages: 5 });
 * await chat.agentWebsites.process(crawlId, { exclude: [] });
 * for await (const { url, status } of chat.agentWebsites.listUrls(crawlId)) console.log(url, status);
 */
export const agentWebsites = {
  /**
   * Discovers the pages of a website, which may take minutes (`timeoutMs`). Not repeated after unclear
   * failures: each call scrapes.
   */
  scrape: {
    id: "scrape-website",
    request: "POST /ai-agents/agent-builder/knowledge-base/website/scrape",
    input: () =>
      z.strictObject({
        url: link(),
        maxDepth: opt(int(1, 10)),
        maxPages: opt(int(1, 10_000)),
        /** Parts of URLs. */
        include: opt(list()),
        exclude: opt(list()),
        fetchSitemap: opt(yesNo()),
      }),
    answer: () =>
      z.looseObject({
        crawlId: z.string(),
        crawlDuration: maybeNumber(),
        status: maybeText(),
        sitemap: maybeObject(),
      }),
  },
  /** Reads one page and stores nothing. Not repeated after unclear failures, though harmless. */
  scrapePage: {
    id: "scrape-single-page",
    request: "POST /ai-agents/agent-builder/knowledge-base/website/individual-page",
    input: () =>
      z.strictObject({
        url: link(),
        /** Milliseconds. */
        timeout: opt(int(5_000, 120_000)),
        format: opt(z.enum(["markdown", "html", "text"])),
      }),
    answer: () =>
      z.looseObject({
        url: maybeText(),
        title: maybeText(),
        description: maybeText(),
        content: maybeText(),
        metadata: maybeObject(),
        contentLength: maybeNumber(),
      }),
  },
  /** Lists discovered pages, newest first. Repeatable. */
  listUrls: {
    id: "get-discovered-urls",
    request: "GET /ai-agents/agent-builder/knowledge-base/website/{parentUniqueId}/discovered-urls",
    input: () =>
      z.strictObject({
        ...cursorQuery(),
        status: opt(z.enum(["discovered", "processing", "processed", "failed", "skipped"])),
      }),
    paged: "cursor",
    answer: () =>
      z.looseObject({
        urlId: z.string(),
        url: maybeText(),
        title: maybeText(),
        description: maybeText(),
        content: maybeText(),
        status: maybeText(),
        lastCrawledAt: maybeNumber(),
        retryCount: maybeNumber(),
        vectorizationStatus: maybeText(),
        ...times(),
      }),
  },
  /** Starts indexing all pages but the excluded ids. Not repeated after unclear failures. */
  process: {
    id: "process-discovered-urls",
    request: "POST /ai-agents/agent-builder/knowledge-base/website/{parentUniqueId}/discovered-urls/process",
    input: () => z.strictObject({ exclude: list() }),
    answer: batch,
  },
  /**
   * Reads the state of pages by id; unknown ids are left out. Not repeated after unclear failures, though
   * harmless.
   */
  urlStatus: {
    id: "poll-discovered-urls-status",
    request:
      "POST /ai-agents/agent-builder/knowledge-base/website/{parentUniqueId}/discovered-urls/status/poll",
    input: polled,
    answer: statuses,
  },
  /**
   * Indexes pages again. The pages disagree on an empty list: all failed pages, or a 400. Not repeated after
   * unclear failures.
   */
  retryUrls: {
    id: "retry-website-pages-indexing",
    request: "PATCH /ai-agents/agent-builder/knowledge-base/website/{parentUniqueId}/discovered-urls/sync",
    input: () => z.strictObject({ uniqueIds: list() }),
    answer: batch,
  },
  /** Deletes a website, also from its agents. Errors: ERR_KB_NOT_FOUND. Repeatable. */
  delete: {
    id: "delete-website",
    request: "DELETE /ai-agents/agent-builder/knowledge-base/website/{uniqueId}",
    answer: deleted,
  },
} as const satisfies Family;
