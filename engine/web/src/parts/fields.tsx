// Choices: a row of radio buttons that looks like one control, a switch, a slider.

import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

export interface Option<T> {
  value: T;
  label: ComponentChildren;
}

export function Choice<T extends string | number>(props: {
  legend: string;
  options: Option<T>[];
  value: T;
  onChange: (value: T) => void;
  hideLegend?: boolean;
  /** So many beside each other; as many as fit if left out. */
  columns?: number;
}) {
  const name = useId();
  return (
    <fieldset class="choice">
      <legend class={props.hideLegend ? "unseen" : ""}>{props.legend}</legend>
      <div class={`segments${props.columns ? " columns" : ""}`} style={props.columns ? { "--columns": props.columns } : undefined}>
        {props.options.map(({ value, label }) => (
          <label key={value} class={value === props.value ? "on" : ""}>
            <input type="radio" name={name} checked={value === props.value} onChange={() => props.onChange(value)} />
            <span>{label}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

export function Switch({ label, on, onChange }: { label: string; on: boolean; onChange: (on: boolean) => void }) {
  return (
    <label class="switch">
      <input type="checkbox" role="switch" checked={on} onChange={() => onChange(!on)} />
      <span class="track" aria-hidden="true" />
      <span>{label}</span>
    </label>
  );
}

export function Slider(props: { label: string; min: number; max: number; step?: number; value: number; text: string; onChange: (value: number) => void }) {
  return (
    <label class="slider">
      <span class="slider-head">
        <span>{props.label}</span>
        <b>{props.text}</b>
      </span>
      <input
        type="range"
        aria-label={props.label}
        min={props.min}
        max={props.max}
        step={props.step ?? 1}
        value={props.value}
        aria-valuetext={props.text}
        style={{ "--part": `${((props.value - props.min) / (props.max - props.min)) * 100}%` }}
        onInput={(event) => props.onChange(Number(event.currentTarget.value))}
      />
    </label>
  );
}

export function Select<T extends string>(props: { label: string; options: Option<T>[]; value: T; onChange: (value: T) => void }) {
  return (
    <label class="select">
      <span>{props.label}</span>
      <select value={props.value} onChange={(event) => props.onChange(event.currentTarget.value as T)}>
        {props.options.map(({ value, label }) => (
          <option key={value} value={value}>{label}</option>
        ))}
      </select>
    </label>
  );
}
