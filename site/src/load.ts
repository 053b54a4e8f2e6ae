// Loading the module.

/** A module of one function that uses a vector: what a browser without SIMD refuses. */
const VECTOR = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11]);

/** Whether this browser runs the module. */
export function hasSimd(): boolean {
  return typeof WebAssembly === "object" && WebAssembly.validate(VECTOR);
}

/** Compiles the module while it is loaded. */
export async function compile(url: URL): Promise<WebAssembly.Module> {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url.pathname}: ${answer.status}`);
  // A host that does not know the type of the file cannot stream it.
  if (answer.headers.get("content-type")?.startsWith("application/wasm")) return WebAssembly.compileStreaming(answer);
  return WebAssembly.compile(await answer.arrayBuffer());
}
