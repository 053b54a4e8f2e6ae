// A line with variations and comments: nodes by number, node 0 is the start.

export interface Node {
  /** The ply that led here; empty for the start. */
  ply: string;
  parent: number;
  /** The first child goes on with the main line. */
  children: number[];
  comment: string;
}

export type Tree = Node[];

export const ROOT = 0;

export function planted(plies: string[]): Tree {
  const root: Node = { ply: "", parent: -1, children: [], comment: "" };
  return plies.reduce<Tree>((tree, ply) => added(tree, tree.length - 1, ply).tree, [root]);
}

function node(tree: Tree, id: number): Node {
  const found = tree[id];
  if (!found) throw new RangeError(`no node ${id}`);
  return found;
}

/** Goes to the child with this ply; makes one if there is none. */
export function added(tree: Tree, at: number, ply: string): { tree: Tree; id: number } {
  const known = node(tree, at).children.find((child) => node(tree, child).ply === ply);
  if (known !== undefined) return { tree, id: known };
  const id = tree.length;
  const next = tree.map((each, index) => (index === at ? { ...each, children: [...each.children, id] } : each));
  next.push({ ply, parent: at, children: [], comment: "" });
  return { tree: next, id };
}

/** The nodes from the start to `id`, both included. */
export function path(tree: Tree, id: number): number[] {
  const nodes: number[] = [];
  for (let at = id; at >= 0; at = node(tree, at).parent) nodes.unshift(at);
  return nodes;
}

export function pliesTo(tree: Tree, id: number): string[] {
  return path(tree, id)
    .slice(1)
    .map((each) => node(tree, each).ply);
}

/** The main line from `id` on, `id` included. */
export function mainLine(tree: Tree, id = ROOT): number[] {
  const nodes = [id];
  for (let next = node(tree, id).children[0]; next !== undefined; next = node(tree, next).children[0]) nodes.push(next);
  return nodes;
}

export function isMain(tree: Tree, id: number): boolean {
  return path(tree, id).every((each) => each === ROOT || node(tree, node(tree, each).parent).children[0] === each);
}

/** The next or the previous brother of a node. */
export function brother(tree: Tree, id: number, step: 1 | -1): number | null {
  if (id === ROOT) return null;
  const brothers = node(tree, node(tree, id).parent).children;
  return brothers[brothers.indexOf(id) + step] ?? null;
}

export function commented(tree: Tree, id: number, comment: string): Tree {
  return tree.map((each, index) => (index === id ? { ...each, comment } : each));
}

/** Takes a node and all that follows out of its parent. The numbers of the others stay. */
export function cut(tree: Tree, id: number): Tree {
  return tree.map((each) => ({ ...each, children: each.children.filter((child) => child !== id) }));
}

/** Makes a node the first child of its parent, and so on up to the start. */
export function promoted(tree: Tree, id: number): Tree {
  const line = new Set(path(tree, id));
  return tree.map((each) => {
    const first = each.children.find((child) => line.has(child));
    return first === undefined ? each : { ...each, children: [first, ...each.children.filter((child) => child !== first)] };
  });
}
