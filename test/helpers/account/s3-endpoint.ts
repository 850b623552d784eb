import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { escapeXml } from "../../../local/cloud/query-protocol.ts";
import type { BucketStore, StoredObject } from "./bucket-store.ts";

const pageSize = 1000;

/**
 * Answers a request as S3 does, with the bucket in the path: heads, puts, gets, lists and deletes.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_Operations_Amazon_Simple_Storage_Service.html
 */
export function answerS3(
  store: BucketStore,
  region: string,
  now: () => number,
  { method, url, headers }: Pick<IncomingMessage, "method" | "url" | "headers">,
  sent: Buffer,
  response: ServerResponse,
): void {
  const { pathname, searchParams } = new URL(url ?? "/", "http://s3");
  const [bucket = "", ...path] = decodeURIComponent(pathname).slice(1).split("/");
  const key = path.join("/");
  const objects = store.buckets.get(bucket);
  const send = (status: number, body: string | Buffer, more: Record<string, string> = {}) =>
    response
      .writeHead(status, { "content-type": "application/xml", "x-amz-bucket-region": region, ...more })
      .end(body);
  const refuse = (status: number, code: string, message: string) =>
    send(status, `<Error><Code>${code}</Code><Message>${escapeXml(message)}</Message></Error>`);
  if (!objects) return void refuse(404, "NoSuchBucket", "The specified bucket does not exist");
  if (key === "" && method === "HEAD") return void send(200, "");
  if (key === "" && method === "GET" && searchParams.has("versions")) {
    return void send(
      200,
      `<ListVersionsResult>${versionsOf(objects, searchParams.get("prefix") ?? "")}</ListVersionsResult>`,
    );
  }
  if (key === "" && method === "GET") return void send(200, list(store, bucket, searchParams));
  if (key === "" && method === "POST" && searchParams.has("delete")) {
    for (const [, name = ""] of sent.toString("utf8").matchAll(/<Key>([^<]*)<\/Key>/g))
      objects.delete(unescapeXml(name));
    return void send(200, "<DeleteResult/>");
  }
  if (method === "PUT") {
    const body = readBody(sent, headers);
    const metadata = Object.fromEntries(
      Object.entries(headers).flatMap(([name, value]) =>
        name.startsWith("x-amz-meta-") && typeof value === "string"
          ? [[name.slice("x-amz-meta-".length), value]]
          : [],
      ),
    );
    objects.set(key, {
      body,
      metadata,
      contentType: headers["content-type"] ?? "",
      modifiedAt: new Date(now()),
    });
    return void send(200, "", { etag: etagOf(body) });
  }
  if (method === "DELETE") {
    objects.delete(key);
    return void send(204, "");
  }
  const object = objects.get(key);
  if (!object) return void refuse(404, "NoSuchKey", "The specified key does not exist.");
  send(200, method === "HEAD" ? "" : object.body, {
    "content-type": object.contentType,
    "last-modified": object.modifiedAt.toUTCString(),
    etag: etagOf(object.body),
    ...Object.fromEntries(
      Object.entries(object.metadata).map(([name, value]) => [`x-amz-meta-${name}`, value]),
    ),
  });
}

function list(store: BucketStore, bucket: string, query: URLSearchParams) {
  const after = query.get("continuation-token") ?? "";
  const found = store.objectsOf(bucket, query.get("prefix") ?? "").filter(([key]) => key > after);
  const page = found.slice(0, pageSize);
  const isCut = found.length > page.length;
  const contents = page.map(
    ([key, { body, modifiedAt }]) =>
      `<Contents><Key>${escapeXml(key)}</Key><LastModified>${modifiedAt.toISOString()}</LastModified><Size>${body.length}</Size></Contents>`,
  );
  const next = isCut
    ? `<NextContinuationToken>${escapeXml(page.at(-1)?.[0] ?? "")}</NextContinuationToken>`
    : "";
  return `<ListBucketResult><IsTruncated>${isCut}</IsTruncated><KeyCount>${page.length}</KeyCount>${next}${contents.join("")}</ListBucketResult>`;
}

function versionsOf(objects: ReadonlyMap<string, StoredObject>, prefix: string) {
  return [...objects.keys()]
    .filter((key) => key.startsWith(prefix))
    .map((key) => `<Version><Key>${escapeXml(key)}</Key><VersionId>null</VersionId></Version>`)
    .join("");
}

/** Removes the SDK's framing of a body whose checksum follows it. */
function readBody(sent: Buffer, headers: IncomingMessage["headers"]): Buffer {
  if (!headers["content-encoding"]?.includes("aws-chunked")) return sent;
  const chunks: Buffer[] = [];
  let at = 0;
  while (at < sent.length) {
    const end = sent.indexOf("\r\n", at);
    const size = Number.parseInt(sent.toString("latin1", at, end), 16);
    if (!size) break;
    chunks.push(sent.subarray(end + 2, end + 2 + size));
    at = end + 2 + size + 2;
  }
  return Buffer.concat(chunks);
}

function etagOf(body: Buffer) {
  return `"${createHash("md5").update(body).digest("hex")}"`;
}

function unescapeXml(text: string) {
  return text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&");
}
