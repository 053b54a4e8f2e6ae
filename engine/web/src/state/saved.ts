// What the browser remembers. A browser that remembers nothing works too.

export function load<T>(key: string, fallback: T): T {
  try {
    const text = localStorage.getItem(`anqi.${key}`);
    return text === null ? fallback : (JSON.parse(text) as T);
  } catch {
    return fallback;
  }
}

export function save(key: string, value: unknown): void {
  try {
    localStorage.setItem(`anqi.${key}`, JSON.stringify(value));
  } catch {
    // Full or forbidden: the page goes on without memory.
  }
}
