import type { AwsError } from "../aws-error.ts";
import { type AttributeValue, type Item, lengthOf, readValue } from "./attribute-value.ts";
import { invalid } from "./invalid.ts";
import { type Path, valueAt } from "./path.ts";

export interface Expressions {
  readonly ConditionExpression?: string | undefined;
  readonly FilterExpression?: string | undefined;
  readonly KeyConditionExpression?: string | undefined;
  readonly ProjectionExpression?: string | undefined;
  readonly UpdateExpression?: string | undefined;
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>> | undefined;
  readonly ExpressionAttributeValues?: Readonly<Record<string, unknown>> | undefined;
}

type Kind = `${"Condition" | "Filter" | "KeyCondition" | "Projection" | "Update"}Expression`;

export interface Operand {
  read(item: Item): AttributeValue | undefined;
  readonly value?: AttributeValue;
  readonly path?: Path;
}

/**
 * @param read reads a whole expression, or returns undefined without one
 * @throws AwsError for a syntax error, also if no expression uses one of the names or values
 */
export function readExpressions<T>(
  request: Expressions,
  read: (one: <R>(kind: Kind, parse: (reader: ExpressionReader) => R) => R | undefined) => T,
): T {
  const { ExpressionAttributeNames: names = {}, ExpressionAttributeValues = {} } = request;
  const values = Object.fromEntries(
    Object.entries(ExpressionAttributeValues).map(([name, value]) => [name, readValue(value)]),
  );
  const used = new Set<string>();
  const result = read((kind, parse) => {
    const { [kind]: text } = request;
    if (text === undefined) return undefined;
    const reader = new ExpressionReader(text, kind, { names, values, used });
    const parsed = parse(reader);
    if (!reader.isAtEnd) throw reader.error();
    return parsed;
  });
  for (const [parameter, given] of Object.entries({ Names: names, Values: values })) {
    const unused = Object.keys(given).filter((key) => !used.has(key));
    if (unused.length === 0) continue;
    throw invalid(
      `Value provided in ExpressionAttribute${parameter} unused in expressions: keys: {${unused.join(", ")}}`,
    );
  }
  return result;
}

interface Placeholders {
  readonly names: Readonly<Record<string, string>>;
  readonly values: Readonly<Record<string, AttributeValue>>;
  readonly used: Set<string>;
}

const end = "<EOF>";

/** @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html#limits-expression-parameters */
const maxBytes = 4_096;

export class ExpressionReader {
  readonly #kind: string;
  readonly #placeholders: Placeholders;
  readonly #tokens: readonly string[];
  #at = 0;

  constructor(text: string, kind: Kind, placeholders: Placeholders) {
    const tokens = text.match(/\s+|[#:]\w+|[A-Za-z_]\w*|<>|<=|>=|./gs) ?? [];
    this.#tokens = tokens.filter((token) => token.trim() !== "");
    this.#kind = kind;
    this.#placeholders = placeholders;
    const bytes = Buffer.byteLength(text);
    if (bytes > maxBytes) {
      throw this.#invalid(`Expression size has exceeded the maximum allowed size; expression size: ${bytes}`);
    }
    if (this.isAtEnd) throw this.#invalid("The expression can not be empty;");
  }

  get isAtEnd(): boolean {
    return this.#peek() === end;
  }

  takes(wanted: string): boolean {
    const isNext = this.#peek().toUpperCase() === wanted;
    if (isNext) this.#at += 1;
    return isNext;
  }

  demand(wanted: string): void {
    if (!this.takes(wanted)) throw this.error();
  }

  takesFunction(name: string): boolean {
    if (this.#peek() !== name || this.#peek(1) !== "(") return false;
    this.#at += 2;
    return true;
  }

  path(): Path {
    return this.list(() => this.#name(), ".");
  }

  value(): AttributeValue {
    const name = this.#take(":");
    const found = this.#placeholders.values[name];
    if (found !== undefined) return found;
    throw this.#invalid(
      `An expression attribute value used in expression is not defined; attribute value: ${name}`,
    );
  }

  operand(): Operand {
    if (this.#peek().startsWith(":")) {
      const value = this.value();
      return { read: () => value, value };
    }
    const isSize = this.takesFunction("size");
    const path = this.path();
    if (!isSize) return { read: (item) => valueAt(item, path), path };
    this.demand(")");
    return {
      read(item) {
        const value = valueAt(item, path);
        const length = value && lengthOf(value);
        return length === undefined ? undefined : { N: String(length) };
      },
    };
  }

  list<T>(read: () => T, separator = ","): T[] {
    const found = [read()];
    while (this.takes(separator)) found.push(read());
    return found;
  }

  error(): AwsError {
    const near = this.#tokens.slice(Math.max(0, this.#at - 1), this.#at + 2);
    return this.#invalid(`Syntax error; token: "${this.#peek()}", near: "${near.join(" ")}"`);
  }

  #peek(ahead = 0) {
    return this.#tokens[this.#at + ahead] ?? end;
  }

  #take(start: "#" | ":") {
    const token = this.#peek();
    if (!token.startsWith(start) || token === start) throw this.error();
    this.#at += 1;
    this.#placeholders.used.add(token);
    return token;
  }

  #name() {
    const word = this.#peek();
    if (/^[A-Za-z_]/.test(word)) {
      this.#at += 1;
      if (!isReservedWord(word)) return word;
      throw this.#invalid(`Attribute name is a reserved keyword; reserved keyword: ${word}`);
    }
    const placeholder = this.#take("#");
    const name = this.#placeholders.names[placeholder];
    if (name !== undefined) return name;
    throw this.#invalid(
      `An expression attribute name used in the document path is not defined; attribute name: ${placeholder}`,
    );
  }

  #invalid(text: string): AwsError {
    return invalid(`Invalid ${this.#kind}: ${text}`);
  }
}

function isReservedWord(name: string) {
  return words.has(name.toUpperCase());
}

/** @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ReservedWords.html */
const words = new Set(
  `
    ABORT ABSOLUTE ACTION ADD AFTER AGENT AGGREGATE ALL ALLOCATE ALTER ANALYZE AND ANY ARCHIVE ARE ARRAY AS
    ASC ASCII ASENSITIVE ASSERTION ASYMMETRIC AT ATOMIC ATTACH ATTRIBUTE AUTH AUTHORIZATION AUTHORIZE AUTO AVG
    BACK BACKUP BASE BATCH BEFORE BEGIN BETWEEN BIGINT BINARY BIT BLOB BLOCK BOOLEAN BOTH BREADTH BUCKET BULK
    BY BYTE CALL CALLED CALLING CAPACITY CASCADE CASCADED CASE CAST CATALOG CHAR CHARACTER CHECK CLASS CLOB
    CLOSE CLUSTER CLUSTERED CLUSTERING CLUSTERS COALESCE COLLATE COLLATION COLLECTION COLUMN COLUMNS COMBINE
    COMMENT COMMIT COMPACT COMPILE COMPRESS CONDITION CONFLICT CONNECT CONNECTION CONSISTENCY CONSISTENT
    CONSTRAINT CONSTRAINTS CONSTRUCTOR CONSUMED CONTINUE CONVERT COPY CORRESPONDING COUNT COUNTER CREATE CROSS
    CUBE CURRENT CURSOR CYCLE DATA DATABASE DATE DATETIME DAY DEALLOCATE DEC DECIMAL DECLARE DEFAULT
    DEFERRABLE DEFERRED DEFINE DEFINED DEFINITION DELETE DELIMITED DEPTH DEREF DESC DESCRIBE DESCRIPTOR DETACH
    DETERMINISTIC DIAGNOSTICS DIRECTORIES DISABLE DISCONNECT DISTINCT DISTRIBUTE DO DOMAIN DOUBLE DROP DUMP
    DURATION DYNAMIC EACH ELEMENT ELSE ELSEIF EMPTY ENABLE END EQUAL EQUALS ERROR ESCAPE ESCAPED EVAL EVALUATE
    EXCEEDED EXCEPT EXCEPTION EXCEPTIONS EXCLUSIVE EXEC EXECUTE EXISTS EXIT EXPLAIN EXPLODE EXPORT EXPRESSION
    EXTENDED EXTERNAL EXTRACT FAIL FALSE FAMILY FETCH FIELDS FILE FILTER FILTERING FINAL FINISH FIRST FIXED
    FLATTERN FLOAT FOR FORCE FOREIGN FORMAT FORWARD FOUND FREE FROM FULL FUNCTION FUNCTIONS GENERAL GENERATE
    GET GLOB GLOBAL GO GOTO GRANT GREATER GROUP GROUPING HANDLER HASH HAVE HAVING HEAP HIDDEN HOLD HOUR
    IDENTIFIED IDENTITY IF IGNORE IMMEDIATE IMPORT IN INCLUDING INCLUSIVE INCREMENT INCREMENTAL INDEX INDEXED
    INDEXES INDICATOR INFINITE INITIALLY INLINE INNER INNTER INOUT INPUT INSENSITIVE INSERT INSTEAD INT
    INTEGER INTERSECT INTERVAL INTO INVALIDATE IS ISOLATION ITEM ITEMS ITERATE JOIN KEY KEYS LAG LANGUAGE
    LARGE LAST LATERAL LEAD LEADING LEAVE LEFT LENGTH LESS LEVEL LIKE LIMIT LIMITED LINES LIST LOAD LOCAL
    LOCALTIME LOCALTIMESTAMP LOCATION LOCATOR LOCK LOCKS LOG LOGED LONG LOOP LOWER MAP MATCH MATERIALIZED MAX
    MAXLEN MEMBER MERGE METHOD METRICS MIN MINUS MINUTE MISSING MOD MODE MODIFIES MODIFY MODULE MONTH MULTI
    MULTISET NAME NAMES NATIONAL NATURAL NCHAR NCLOB NEW NEXT NO NONE NOT NULL NULLIF NUMBER NUMERIC OBJECT OF
    OFFLINE OFFSET OLD ON ONLINE ONLY OPAQUE OPEN OPERATOR OPTION OR ORDER ORDINALITY OTHER OTHERS OUT OUTER
    OUTPUT OVER OVERLAPS OVERRIDE OWNER PAD PARALLEL PARAMETER PARAMETERS PARTIAL PARTITION PARTITIONED
    PARTITIONS PATH PERCENT PERCENTILE PERMISSION PERMISSIONS PIPE PIPELINED PLAN POOL POSITION PRECISION
    PREPARE PRESERVE PRIMARY PRIOR PRIVATE PRIVILEGES PROCEDURE PROCESSED PROJECT PROJECTION PROPERTY
    PROVISIONING PUBLIC PUT QUERY QUIT QUORUM RAISE RANDOM RANGE RANK RAW READ READS REAL REBUILD RECORD
    RECURSIVE REDUCE REF REFERENCE REFERENCES REFERENCING REGEXP REGION REINDEX RELATIVE RELEASE REMAINDER
    RENAME REPEAT REPLACE REQUEST RESET RESIGNAL RESOURCE RESPONSE RESTORE RESTRICT RESULT RETURN RETURNING
    RETURNS REVERSE REVOKE RIGHT ROLE ROLES ROLLBACK ROLLUP ROUTINE ROW ROWS RULE RULES SAMPLE SATISFIES SAVE
    SAVEPOINT SCAN SCHEMA SCOPE SCROLL SEARCH SECOND SECTION SEGMENT SEGMENTS SELECT SELF SEMI SENSITIVE
    SEPARATE SEQUENCE SERIALIZABLE SESSION SET SETS SHARD SHARE SHARED SHORT SHOW SIGNAL SIMILAR SIZE SKEWED
    SMALLINT SNAPSHOT SOME SOURCE SPACE SPACES SPARSE SPECIFIC SPECIFICTYPE SPLIT SQL SQLCODE SQLERROR
    SQLEXCEPTION SQLSTATE SQLWARNING START STATE STATIC STATUS STORAGE STORE STORED STREAM STRING STRUCT STYLE
    SUB SUBMULTISET SUBPARTITION SUBSTRING SUBTYPE SUM SUPER SYMMETRIC SYNONYM SYSTEM TABLE TABLESAMPLE TEMP
    TEMPORARY TERMINATED TEXT THAN THEN THROUGHPUT TIME TIMESTAMP TIMEZONE TINYINT TO TOKEN TOTAL TOUCH
    TRAILING TRANSACTION TRANSFORM TRANSLATE TRANSLATION TREAT TRIGGER TRIM TRUE TRUNCATE TTL TUPLE TYPE UNDER
    UNDO UNION UNIQUE UNIT UNKNOWN UNLOGGED UNNEST UNPROCESSED UNSIGNED UNTIL UPDATE UPPER URL USAGE USE USER
    USERS USING UUID VACUUM VALUE VALUED VALUES VARCHAR VARIABLE VARIANCE VARINT VARYING VIEW VIEWS VIRTUAL
    VOID WAIT WHEN WHENEVER WHERE WHILE WINDOW WITH WITHIN WITHOUT WORK WRAPPED WRITE YEAR ZONE
  `
    .trim()
    .split(/\s+/),
);
