// A value that components can watch.

import { useLayoutEffect, useState } from "preact/hooks";

export class Store<T extends object> {
  private readonly watchers = new Set<() => void>();

  constructor(private current: T) {}

  get value(): T {
    return this.current;
  }

  /** Changes some fields and tells everybody who watches. */
  set(change: Partial<T>): void {
    this.current = { ...this.current, ...change };
    for (const watcher of [...this.watchers]) watcher();
  }

  watch(watcher: () => void): () => void {
    this.watchers.add(watcher);
    return () => this.watchers.delete(watcher);
  }
}

/** Returns the store's value and renders the component again when it changes. */
export function useStore<T extends object>(store: Store<T>): T {
  const [value, setValue] = useState(store.value);
  useLayoutEffect(() => {
    setValue(store.value);
    return store.watch(() => setValue(store.value));
  }, [store]);
  return value;
}
