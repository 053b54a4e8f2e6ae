// The tree of plies: the main line in two columns, variations and comments across them.

import type { VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { contentOf, revealed, squaresOf } from "../board/geometry";
import { words } from "../i18n";
import { analysis, cut, editComment, promote, toNode } from "../state/analysis";
import { useStore } from "../state/store";
import { isMain, type Tree } from "../state/tree";
import type { ReviewedPly } from "../wire";
import { Icon } from "./dialog";
import { Ply, plyNumber } from "./ply";

const GRADES: Record<ReviewedPly["grade"], string> = { good: "", forced: "", inaccuracy: "?!", mistake: "?", blunder: "??" };

export function TreeMoves() {
  const { study, report, reported } = useStore(analysis);
  const list = useRef<HTMLDivElement>(null);
  const { tree, at } = study;
  useEffect(() => {
    const box = list.current;
    if (!box) return;
    const follow = () => {
      const here = box.querySelector<HTMLElement>("[aria-current]");
      // The list is positioned, so that the offset is counted from its top.
      if (here) box.scrollTop = here.offsetTop - (box.clientHeight - here.offsetHeight) / 2;
    };
    // The panel above may grow, and the list then shrinks.
    const watch = new ResizeObserver(follow);
    watch.observe(box);
    follow();
    return () => watch.disconnect();
  }, [at]);
  const grade = (id: number) => report?.plies[reported.indexOf(id) - 1]?.grade;
  const text = words();
  return (
    <div class="tree" ref={list} role="group" aria-label={text.moves}>
      <button type="button" class="start" aria-current={at === 0 ? "step" : undefined} onClick={() => void toNode(0)}>
        {text.startPosition}
      </button>
      {tree[0]?.comment ? <Said id={0} comment={tree[0].comment} /> : null}
      <Run tree={tree} from={0} depth={0} at={at} number={1} grade={grade} />
      {at !== 0 && !isMain(tree, at) ? (
        <div class="buttons small">
          <button type="button" onClick={() => promote(at)}>{text.promote}</button>
          <button type="button" onClick={() => cut(at)}>
            <Icon name="trash" />
            {text.cut}
          </button>
        </div>
      ) : null}
    </div>
  );
}

interface RunProps {
  tree: Tree;
  /** The node whose children are shown. */
  from: number;
  depth: number;
  at: number;
  /** The number of the first ply shown. */
  number: number;
  grade: (id: number) => ReviewedPly["grade"] | undefined;
}

/** A line from a node on, with the variations that leave it. */
function Run({ tree, from, depth, at, number, grade }: RunProps): VNode {
  const parts: VNode[] = [];
  let ply = number;
  // The main line is written in columns: a ply that answers after a comment or variation repeats its number.
  let leads = true;
  for (let node = tree[from]; node && node.children.length > 0; ) {
    const [first, ...others] = node.children as [number, ...number[]];
    const main = depth === 0;
    if (main && (leads || ply % 2 === 1)) parts.push(<span key={`number${ply}`} class="number">{plyNumber(ply)}</span>);
    parts.push(<Entry key={first} tree={tree} id={first} at={at} number={ply} leads={leads} main={main} grade={grade(first)} />);
    const own = tree[first];
    leads = others.length > 0 || Boolean(own?.comment);
    if (own?.comment) parts.push(<Said key={`comment${first}`} id={first} comment={own.comment} />);
    for (const other of others) {
      parts.push(
        <div key={`variation${other}`} class="variation">
          <Entry tree={tree} id={other} at={at} number={ply} leads main={false} grade={undefined} />
          {tree[other]?.comment ? <Said id={other} comment={tree[other].comment} /> : null}
          <Run tree={tree} from={other} depth={depth + 1} at={at} number={ply + 1} grade={() => undefined} />
        </div>,
      );
    }
    ply += 1;
    node = own;
  }
  return <>{parts}</>;
}

/** A comment; a click on it goes on writing. */
function Said({ id, comment }: { id: number; comment: string }) {
  return (
    <button type="button" class="said" title={words().editComment} onClick={() => void editComment(id)}>
      {comment}
    </button>
  );
}

interface EntryProps {
  tree: Tree;
  id: number;
  at: number;
  number: number;
  leads: boolean;
  /** In a column of its own, and its number beside it. */
  main: boolean;
  grade: ReviewedPly["grade"] | undefined;
}

function Entry(props: EntryProps) {
  const { tree, id, number, main, grade } = props;
  const { boards } = useStore(analysis);
  const node = tree[id];
  if (!node) return null;
  const before = boards[node.parent]?.squares ?? "";
  const [from, to] = squaresOf(node.ply);
  const moving = to ? contentOf(before, from as string) : "?";
  const target = to ? contentOf(before, to) : ".";
  const piece = revealed(node.ply) ?? (before && moving !== "." ? moving : null);
  const odd = number % 2 === 1;
  return (
    <button
      type="button"
      class={`node${main ? (odd ? " first" : " second") : ""}${grade ? ` graded-${grade}` : ""}`}
      aria-current={props.at === id ? "step" : undefined}
      onClick={() => void toNode(id)}
    >
      {!main && (odd || props.leads) ? <span class="number">{plyNumber(number)}</span> : null}
      <Ply ply={node.ply} piece={piece} captured={before && target !== "." && target !== "?" ? target : null} />
      {grade && GRADES[grade] ? <b class="grade">{GRADES[grade]}</b> : null}
      <span class="unseen">{grade && GRADES[grade] ? `${words().grades[grade]}, ` : ""}{words().plyText(node.ply)}</span>
    </button>
  );
}
