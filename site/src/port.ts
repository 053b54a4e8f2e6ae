// Workers and messages, alike in browsers and in Node.js.

/** Whether this is Node.js. */
export const IN_NODE = typeof process !== "undefined" && process.versions?.node !== undefined && typeof window === "undefined";

/** The other end of a worker. */
export interface Remote<In, Out> {
  post(message: Out): void;
  /** Hears its messages, and `null` if it fails by itself. */
  onmessage: (message: In | null, why?: string) => void;
  end(): void;
}

/** The worker's own end. */
export interface Parent<In, Out> {
  post(message: Out): void;
  listen(hear: (message: In) => void): void;
}

/** The global scope of a worker, as far as it is used here. */
interface WorkerScope {
  postMessage(message: unknown): void;
  addEventListener(type: "message", hear: (event: MessageEvent) => void): void;
}

// Bundlers for browsers must not look for these modules.
const threads = (): Promise<typeof import("node:worker_threads")> => import(/* @vite-ignore */ /* webpackIgnore: true */ ["node", "worker_threads"].join(":"));

/** Starts a worker; messages sent before it is up wait for it. */
export function spawn<In, Out>(url: URL, type: WorkerType): Remote<In, Out> {
  return IN_NODE ? spawnThread(url) : spawnWorker(url, type);
}

function spawnWorker<In, Out>(url: URL, type: WorkerType): Remote<In, Out> {
  const worker = new Worker(url, { type });
  const remote: Remote<In, Out> = {
    post: (message) => worker.postMessage(message),
    onmessage: () => {},
    end: () => worker.terminate(),
  };
  worker.onmessage = ({ data }) => remote.onmessage(data as In);
  worker.onerror = (event) => {
    event.preventDefault();
    remote.onmessage(null, event.message || `the worker ${url.pathname} cannot be loaded`);
  };
  return remote;
}

function spawnThread<In, Out>(url: URL): Remote<In, Out> {
  let ended = false;
  const begun = threads().then(({ Worker }) => {
    const worker = new Worker(url);
    if (ended) void worker.terminate();
    worker.on("message", (message) => remote.onmessage(message as In));
    worker.on("error", (error) => remote.onmessage(null, String(error)));
    return worker;
  });
  const remote: Remote<In, Out> = {
    post: (message) => void begun.then((worker) => worker.postMessage(message)),
    onmessage: () => {},
    end: () => {
      ended = true;
      void begun.then((worker) => worker.terminate());
    },
  };
  return remote;
}

/** The end of the worker that runs this. */
export function parent<In, Out>(): Parent<In, Out> {
  if (!IN_NODE) {
    const scope = self as unknown as WorkerScope;
    return {
      post: (message) => scope.postMessage(message),
      // At once: what comes before there is a listener is lost.
      listen: (hear) => scope.addEventListener("message", ({ data }) => hear(data as In)),
    };
  }
  let known: import("node:worker_threads").MessagePort | null = null;
  const port = threads().then(({ parentPort }) => (known = parentPort));
  return {
    // Once it is known, without a promise: a worker keeps none before its computation ends.
    post: (message) => (known ? known.postMessage(message) : void port.then((port) => port?.postMessage(message))),
    listen: (hear) => void port.then((port) => port?.on("message", hear)),
  };
}
