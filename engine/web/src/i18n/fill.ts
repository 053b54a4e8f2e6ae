// Messages with blanks: `{name}` stands for a value, `{Name}` for the same with a capital.

export type Values = Record<string, string | number>;

const BLANK = /\{(\w+)\}/g;

export const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

const small = (name: string) => name.charAt(0).toLowerCase() + name.slice(1);

/** Fills in the blanks of a message; one without a value stays as it is. */
export function fill(message: string, values: Values): string {
  return message.replace(BLANK, (blank: string, name: string) => {
    if (name in values) return String(values[name]);
    return small(name) in values ? capital(String(values[small(name)])) : blank;
  });
}

/** The names of the blanks of a message, each once, in small letters and in order. */
export function blanksOf(message: string): string[] {
  return [...new Set([...message.matchAll(BLANK)].map(([, name]) => small(name as string)))].sort();
}

/** A message in the forms that a count needs: `one` where the language has it. */
export interface Counted {
  one?: string;
  other: string;
}
