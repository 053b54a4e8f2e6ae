// Numbers of few bits, one after the other, as the letters of a link: base64url with a checksum.

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** The text is no packed bits, or was changed. */
export class Damage extends Error {}

export class Writer {
  private readonly bits: number[] = [];

  /** Adds a whole number of `width` bits. */
  add(value: number, width: number): this {
    if (!Number.isInteger(value) || value < 0 || value >= 2 ** width) throw new RangeError(`${value} does not fit ${width} bits`);
    for (let bit = width - 1; bit >= 0; bit -= 1) this.bits.push(Math.floor(value / 2 ** bit) % 2);
    return this;
  }

  /** All that was added, with a checksum. */
  text(): string {
    const bits = [...this.bits];
    const sum = checksum(bits);
    for (let bit = SUM_BITS - 1; bit >= 0; bit -= 1) bits.push((sum >> bit) & 1);
    while (bits.length % 6 !== 0) bits.push(0);
    const digits = Array.from({ length: bits.length / 6 }, (_, at) => bits.slice(at * 6, at * 6 + 6).reduce((sum, bit) => sum * 2 + bit, 0));
    return digits.map((digit) => LETTERS[digit]).join("");
  }
}

export class Reader {
  private at = 0;
  private readonly bits: number[];

  constructor(text: string) {
    this.bits = [...text].flatMap((letter) => {
      const digit = LETTERS.indexOf(letter);
      if (digit < 0) throw new Damage(`no letter of a link: ${letter}`);
      return [5, 4, 3, 2, 1, 0].map((bit) => (digit >> bit) & 1);
    });
  }

  take(width: number): number {
    if (this.at + width > this.bits.length) throw new Damage("the link ends early");
    let value = 0;
    for (let bit = 0; bit < width; bit += 1) value = value * 2 + (this.bits[this.at + bit] as number);
    this.at += width;
    return value;
  }

  /** Checks that all was read and nothing was changed. */
  end(): void {
    const read = this.bits.slice(0, this.at);
    if (this.take(SUM_BITS) !== checksum(read)) throw new Damage("the checksum differs");
    const rest = this.bits.slice(this.at);
    if (rest.length >= 6 || rest.includes(1)) throw new Damage("the link goes on after its end");
  }
}

const SUM_BITS = 16;
/** CRC-16 with the polynomial of CCITT. */
const POLYNOMIAL = 0x1021;

function checksum(bits: number[]): number {
  let sum = 0xffff;
  for (const bit of bits) {
    const high = (sum >> 15) & 1;
    sum = ((sum << 1) & 0xffff) ^ (high === bit ? 0 : POLYNOMIAL);
  }
  return sum;
}
