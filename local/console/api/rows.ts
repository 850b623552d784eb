export interface Rows<Row> {
  readonly rows: readonly Row[];
  readonly total: number;
  readonly perPage: number;
}
