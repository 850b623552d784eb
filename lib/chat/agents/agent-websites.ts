import * as z from "zod/mini";
import { recordOf } from "../../base/record-of.ts";
import { maybeNumber, maybeObject, maybeText, maybeTexts } from "../answers.ts";
import type { Family } from "../operation.ts";
import { int, link, list, looseObject, opt, optional, strictObject, word, yesNo } from "../schema.ts";
import { cursorQuery, deleted, polled, statuses, times } from "./agent-input.ts";

const batch = () =>
  looseObject({
    batchId: word,
    ...recordOf(["urlsProcessed", "totalUrls", "totalRequested", "excludedUrls"], maybeNumber),
    status: maybeText,
    processedUrls: maybeTexts,
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
  /** Discovers the pages of a website, which may take minutes (`timeoutMs`). Each call scrapes. */
  scrape: {
    id: "scrape-website",
    request: "POST /ai-agents/agent-builder/knowledge-base/website/scrape",
    input: () =>
      strictObject({
        url: link,
        ...optional({
          maxDepth: int(1, 10),
          maxPages: int(1, 10_000),
          /** Parts of URLs. */
          include: list,
          exclude: list,
          fetchSitemap: yesNo,
        }),
      }),
    answer: () =>
      looseObject({
        crawlId: word,
        crawlDuration: maybeNumber,
        status: maybeText,
        sitemap: maybeObject,
      }),
  },
  /** Reads one page and stores nothing. Harmless if repeated. */
  scrapePage: {
    id: "scrape-single-page",
    request: "POST /ai-agents/agent-builder/knowledge-base/website/individual-page",
    input: () =>
      strictObject({
        url: link,
        /** Milliseconds. */
        timeout: opt(int(5_000, 120_000)),
        format: opt(z.enum(["markdown", "html", "text"])),
      }),
    answer: () =>
      looseObject({
        ...recordOf(["url", "title", "description", "content"], maybeText),
        metadata: maybeObject,
        contentLength: maybeNumber,
      }),
  },
  /** Lists discovered pages, newest first. */
  listUrls: {
    id: "get-discovered-urls",
    request: "GET /ai-agents/agent-builder/knowledge-base/website/{parentUniqueId}/discovered-urls",
    input: () =>
      strictObject({
        ...cursorQuery(),
        status: opt(z.enum(["discovered", "processing", "processed", "failed", "skipped"])),
      }),
    paged: "cursor",
    answer: () =>
      looseObject({
        urlId: word,
        ...recordOf(["url", "title", "description", "content", "status"], maybeText),
        lastCrawledAt: maybeNumber,
        retryCount: maybeNumber,
        vectorizationStatus: maybeText,
        ...times,
      }),
  },
  /** Starts indexing all pages but the excluded ids. */
  process: {
    id: "process-discovered-urls",
    request: "POST /ai-agents/agent-builder/knowledge-base/website/{parentUniqueId}/discovered-urls/process",
    input: () => strictObject({ exclude: list }),
    answer: batch,
  },
  /** Reads the state of pages by id; unknown ids are left out. Harmless if repeated. */
  urlStatus: {
    id: "poll-discovered-urls-status",
    request:
      "POST /ai-agents/agent-builder/knowledge-base/website/{parentUniqueId}/discovered-urls/status/poll",
    input: polled,
    answer: statuses,
  },
  /** Indexes pages again. The pages disagree on an empty list: all failed pages, or a 400. */
  retryUrls: {
    id: "retry-website-pages-indexing",
    request: "PATCH /ai-agents/agent-builder/knowledge-base/website/{parentUniqueId}/discovered-urls/sync",
    input: () => strictObject({ uniqueIds: list }),
    answer: batch,
  },
  /** Deletes a website, also from its agents. Errors: ERR_KB_NOT_FOUND. */
  delete: {
    id: "delete-website",
    request: "DELETE /ai-agents/agent-builder/knowledge-base/website/{uniqueId}",
    answer: deleted,
  },
} as const satisfies Family;
