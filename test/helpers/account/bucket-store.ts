/** Buckets and their objects, as S3 stores them for one account. */
export interface StoredObject {
  readonly body: Buffer;
  readonly metadata: Readonly<Record<string, string>>;
  readonly contentType: string;
  readonly modifiedAt: Date;
}

export class BucketStore {
  readonly buckets = new Map<string, Map<string, StoredObject>>();

  objectsOf(bucket: string, prefix = ""): readonly (readonly [key: string, object: StoredObject])[] {
    return [...(this.buckets.get(bucket) ?? [])]
      .filter(([key]) => key.startsWith(prefix))
      .sort(([one], [other]) => (one < other ? -1 : 1));
  }

  /** Saves the current state; returns a function that restores it. */
  save(): () => void {
    const saved = [...this.buckets].map(([name, objects]) => [name, new Map(objects)] as const);
    return () => {
      this.buckets.clear();
      for (const [name, objects] of saved) this.buckets.set(name, new Map(objects));
    };
  }

  /** Reads the object that an address of S3 names, in either style. */
  textAt(address: string): string | undefined {
    const { pathname } = new URL(address);
    const [bucket = "", ...key] = decodeURIComponent(pathname).slice(1).split("/");
    return this.buckets.get(bucket)?.get(key.join("/"))?.body.toString("utf8");
  }
}
