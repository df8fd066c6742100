/** Whether one decimal number is a multiple of another. Exact: 19.99 is a multiple of 0.01, which a division of floats denies. */
export function isMultipleOf(value: number, of: number): boolean {
  const [one, other] = [decimal(value), decimal(of)];
  const places = Math.max(one.places, other.places);
  const scaled = ({ digits, places: own }: Decimal) => digits * 10n ** BigInt(places - own);
  return scaled(one) % scaled(other) === 0n;
}

/** `digits` divided by ten to the power of `places`. */
interface Decimal {
  readonly digits: bigint;
  readonly places: number;
}

function decimal(value: number): Decimal {
  const [mantissa = "", exponent = "0"] = String(value).split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  const places = fraction.length - Number(exponent);
  const digits = BigInt(whole + fraction);
  return places < 0 ? { digits: digits * 10n ** BigInt(-places), places: 0 } : { digits, places };
}
