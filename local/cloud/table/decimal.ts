import { invalid } from "./invalid.ts";

/** `digits × 10^exponent` */
interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
}

/**
 * @see
 *   https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/HowItWorks.NamingRulesDataTypes.html#HowItWorks.DataTypes.Number
 */
const maxDigits = 38;
const maxMagnitude = 125;
const minMagnitude = -130;

/**
 * As DynamoDB returns it: without needless zeros, signs and exponents.
 * @throws AwsError for text that is no number, more than 38 digits, or a magnitude out of range
 */
export function normaliseNumber(text: string): string {
  return write(read(text));
}

/** Negative if `one` is smaller, 0 if they are equal. */
export function compareNumbers(one: string, other: string): number {
  const { digits } = subtract(read(one), read(other));
  return digits < 0n ? -1 : digits > 0n ? 1 : 0;
}

/** @throws AwsError if the sum has too many digits */
export function addNumbers(one: string, other: string): string {
  return write(checked(add(read(one), read(other))));
}

/** @throws AwsError if the difference has too many digits */
export function subtractNumbers(one: string, other: string): string {
  return write(checked(subtract(read(one), read(other))));
}

/** One byte for two digits, plus one. */
export function sizeOfNumber(text: string): number {
  const digits = read(text).digits.toString().replace("-", "");
  return Math.ceil(digits.length / 2) + 1;
}

function read(text: string): Decimal {
  const [, sign = "", whole = "", fraction = "", exponent = "0"] =
    text.match(/^([+-]?)(\d*)\.?(\d*)(?:[eE]([+-]?\d+))?$/) ?? [];
  if (whole + fraction === "") {
    throw invalid(`The parameter cannot be converted to a numeric value: ${text}`);
  }
  const digits = BigInt(whole + fraction) * (sign === "-" ? -1n : 1n);
  return checked(trimmed({ digits, exponent: Number(exponent) - fraction.length }));
}

function trimmed({ digits, exponent }: Decimal): Decimal {
  if (digits === 0n) return { digits, exponent: 0 };
  const text = digits.toString();
  const zeros = text.length - text.replace(/0+$/, "").length;
  return { digits: BigInt(text.slice(0, text.length - zeros)), exponent: exponent + zeros };
}

function checked(number: Decimal): Decimal {
  const { digits, exponent } = trimmed(number);
  const length = digits.toString().replace("-", "").length;
  if (length > maxDigits) {
    throw invalid("Attempting to store more than 38 significant digits in a Number");
  }
  const magnitude = exponent + length - 1;
  if (digits !== 0n && magnitude > maxMagnitude) {
    throw invalid("Number overflow. Attempting to store a number with magnitude larger than supported range");
  }
  if (digits !== 0n && magnitude < minMagnitude) {
    throw invalid(
      "Number underflow. Attempting to store a number with magnitude smaller than supported range",
    );
  }
  return { digits, exponent };
}

function add(one: Decimal, other: Decimal): Decimal {
  const exponent = Math.min(one.exponent, other.exponent);
  const scaled = ({ digits, exponent: own }: Decimal) => digits * 10n ** BigInt(own - exponent);
  return { digits: scaled(one) + scaled(other), exponent };
}

function subtract(one: Decimal, other: Decimal): Decimal {
  return add(one, { digits: -other.digits, exponent: other.exponent });
}

function write({ digits, exponent }: Decimal): string {
  const sign = digits < 0n ? "-" : "";
  const text = digits.toString().replace("-", "");
  if (exponent >= 0) return sign + text + "0".repeat(exponent);
  const padded = text.padStart(1 - exponent, "0");
  return `${sign}${padded.slice(0, exponent)}.${padded.slice(exponent)}`;
}
