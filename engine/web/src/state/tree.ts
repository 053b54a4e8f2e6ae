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

/** A tree as it travels. */
type Notes = { comment: string; plies: { ply: string; after: number; comment: string }[] };

export const ROOT = 0;

export function planted(plies: string[]): Tree {
  const root: Node = { ply: "", parent: -1, children: [], comment: "" };
  return plies.reduce<Tree>((tree, ply) => added(tree, tree.length - 1, ply).tree, [root]);
}

/** The tree that a record's notes tell. */
export function noted({ comment, plies }: Notes): Tree {
  const tree: Tree = [{ ply: "", parent: -1, children: [], comment }];
  for (const { ply, after, comment } of plies) {
    node(tree, after).children.push(tree.length);
    tree.push({ ply, parent: after, children: [], comment });
  }
  return tree;
}

/** All nodes that can be reached, in the order of their lines, the start first: a record counts them so. */
export function reached(tree: Tree): number[] {
  const nodes: number[] = [];
  const agenda = [ROOT];
  for (let next = agenda.pop(); next !== undefined; next = agenda.pop()) {
    nodes.push(next);
    agenda.push(...[...node(tree, next).children].reverse());
  }
  return nodes;
}

/** What a record keeps of a tree. */
export function notesOf(tree: Tree): Notes {
  const [, ...nodes] = reached(tree);
  const numbers = new Map([ROOT, ...nodes].map((id, number) => [id, number]));
  const plies = nodes.map((id) => {
    const { ply, parent, comment } = node(tree, id);
    return { ply, after: numbers.get(parent) ?? 0, comment };
  });
  return { comment: node(tree, ROOT).comment, plies };
}

/** Whether the tree says more than its main line. */
export function saysMore(tree: Tree): boolean {
  const { comment, plies } = notesOf(tree);
  return comment !== "" || plies.length > mainLine(tree).length - 1 || plies.some((each) => each.comment !== "");
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

export function mainPlies(tree: Tree): string[] {
  return pliesTo(tree, mainLine(tree).at(-1) ?? ROOT);
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
