import { randomUUID } from "node:crypto";
import { ensureField, found } from "../errors/platform-error.ts";
import { isWebAddress } from "../http/fields.ts";
import { type AppRequest, acknowledge, appFamily } from "../http/route.ts";
import { isStringArray, type JsonObject, pick } from "../json.ts";
import { namesIn, replyPage, textsOf } from "./agent-route.ts";
import {
  deleteSource,
  putSource,
  requireSource,
  type Source,
  startIndexing,
  stateOf,
  within,
} from "./knowledge.ts";

type Page = Source & { urlId: string; url: string; title: string; isSkipped: boolean; isStarted: boolean };
type Website = Source & { pages: Page[] };
const pageWords = { indexing: "processing", indexed: "processed", failed: "failed" };
const webhookUrl = "https://crawler.example.invalid/callback";

function wordOf(request: AppRequest, page: Page) {
  if (page.isSkipped) return "skipped";
  return page.isStarted ? pageWords[stateOf(request, page)] : "discovered";
}

const websiteOf = (request: AppRequest): Website => {
  const source = requireSource(request, "website", request.param("parentUniqueId"));
  return found(isWebsite(source) ? source : undefined, "ERR_KB_NOT_FOUND", "There is no such website.");
};

function isWebsite(source: Source): source is Website {
  return Array.isArray(source.pages);
}

function urlIn({ body }: AppRequest) {
  const text = String(body.url);
  ensureField(isWebAddress(text), "url", "Invalid URL format");
  return new URL(text);
}

function requireBetween({ body }: AppRequest, field: string, least: number, most: number) {
  const value = body[field];
  if (typeof value !== "number") return undefined;
  ensureField(value >= least && value <= most, field, `The ${field} must be between ${least} and ${most}.`);
  return value;
}

function start(request: AppRequest, isChosen: (page: Page) => boolean, skipped: readonly string[] = []) {
  const website = websiteOf(request);
  const chosen = website.pages.filter(isChosen).map(({ urlId }) => urlId);
  found(chosen[0], "ERR_KB_NOT_FOUND", "There is no page left to process.");
  const index = startIndexing(request);
  const pages = website.pages.map((page) => {
    if (skipped.includes(page.urlId)) return { ...page, isSkipped: true };
    if (!chosen.includes(page.urlId)) return page;
    const retryCount = Number(page.retryCount) + (page.isStarted ? 1 : 0);
    return { ...page, ...index, isStarted: true, isSkipped: false, retryCount };
  });
  putSource(request, { ...website, ...index, pages });
  return chosen;
}

function showPage(request: AppRequest) {
  return (page: Page): JsonObject => {
    const status = wordOf(request, page);
    const isDone = status === "processed";
    return {
      ...pick(page, "urlId", "url", "title", "retryCount"),
      status,
      lastCrawledAt: page.createdAt,
      vectorizationStatus: isDone ? "completed" : "pending",
      chunksCreated: isDone ? 1 : 0,
      embeddingsGenerated: isDone ? 1 : 0,
    };
  };
}

export const websiteRoutes = appFamily({
  "scrape-website"(request) {
    const url = urlIn(request);
    requireBetween(request, "maxDepth", 1, 10);
    const maxPages = requireBetween(request, "maxPages", 1, 10_000) ?? 100;
    const { include, exclude } = request.body;
    const has = (address: string, parts: unknown) =>
      isStringArray(parts) && parts.some((part) => address.includes(part));
    const now = request.clock.now();
    const found = ["", "guide", "faq"]
      .map((path) => new URL(path, url).href)
      .filter((address) => include === undefined || has(address, include))
      .filter((address) => !has(address, exclude))
      .slice(0, maxPages);
    const crawlId = `crawl-${now}`;
    const pages = found.map((address, index) => ({
      urlId: randomUUID(),
      url: address,
      title: new URL(address).pathname,
      createdAt: now + index,
      updatedAt: now + index,
      isSkipped: false,
      isStarted: false,
      readyAt: 0,
      fails: false,
      retryCount: 0,
    }));
    putSource(request, {
      uniqueId: crawlId,
      type: "website",
      sourceName: url.href,
      content: found.join("\n"),
      isSent: true,
      readyAt: 0,
      fails: false,
      pages,
    });
    const lastModified = new Date(now).toISOString();
    const sitemap = {
      found: true,
      url: new URL("sitemap.xml", url).href,
      totalUrls: found.length,
      urls: found,
      lastModified,
    };
    return acknowledge("Website scrape completed successfully", {
      crawlId,
      crawlDuration: 0,
      status: "completed",
      sitemap,
    });
  },
  "scrape-single-page"(request) {
    const { href } = urlIn(request);
    requireBetween(request, "timeout", 5_000, 120_000);
    const content = `# ${href}`;
    return acknowledge("Page scraped successfully", {
      url: href,
      title: href,
      description: "",
      content,
      metadata: { og: {}, twitter: {}, canonical: "", language: "en" },
      scraper: "Firecrawl",
      crawlDuration: 0,
      contentLength: content.length,
      timestamp: new Date(request.clock.now()).toISOString(),
    });
  },
  "get-discovered-urls"(request) {
    const status = request.query.text("status");
    const pages = within(request, websiteOf(request).pages).toSorted(
      (one, other) => other.createdAt - one.createdAt,
    );
    const shown = pages.filter((page) => status === undefined || wordOf(request, page) === status);
    return replyPage(request, shown, { by: "cursor", isExact: true, show: showPage(request) });
  },
  "process-discovered-urls"(request) {
    const exclude = textsOf(request.body.exclude);
    const total = websiteOf(request).pages.length;
    const started = start(request, ({ urlId, isStarted }) => !isStarted && !exclude.includes(urlId), exclude);
    return acknowledge("Batch processing initiated successfully", {
      batchId: `batch-${request.clock.now()}`,
      urlsProcessed: started.length,
      totalUrls: total,
      webhookUrl,
      status: "processing",
    });
  },
  "poll-discovered-urls-status"(request) {
    const ids = namesIn(request.body, "uniqueId");
    const known = websiteOf(request).pages.filter(({ urlId }) => ids.includes(urlId));
    const states = known.map((page) => [page.urlId, wordOf(request, page)]);
    return { success: true, data: Object.fromEntries(states) };
  },
  "retry-website-pages-indexing"(request) {
    const ids = textsOf(request.body.uniqueIds);
    const isAsked = (page: Page) =>
      ids.length === 0 ? wordOf(request, page) === "failed" : ids.includes(page.urlId) && !page.isSkipped;
    const processedUrls = start(request, isAsked);
    return acknowledge("Sync processing initiated successfully", {
      batchId: `sync-batch-${request.clock.now()}`,
      urlsProcessed: processedUrls.length,
      totalRequested: ids.length || processedUrls.length,
      excludedUrls: Math.max(0, ids.length - processedUrls.length),
      webhookUrl,
      status: "processing",
      processedUrls,
    });
  },
  "delete-website": (request) =>
    deleteSource(request, "website", "File and all associated data deleted successfully"),
});
