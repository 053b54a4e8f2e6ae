// Sounds made on the spot: wood on wood for moves, a brush for flips, a chord at the end.

import { settings } from "./state/settings";

export type Sound = "flip" | "move" | "capture" | "win" | "loss" | "draw" | "low" | "refused";

let context: AudioContext | null = null;

/** A knock: a short noise through a band that gives it its pitch. */
function knock(audio: AudioContext, at: number, pitch: number, loud: number, length: number): void {
  const samples = Math.ceil(audio.sampleRate * length);
  const buffer = audio.createBuffer(1, samples, audio.sampleRate);
  const data = buffer.getChannelData(0);
  for (let index = 0; index < samples; index += 1) {
    data[index] = (Math.random() * 2 - 1) * Math.exp((-7 * index) / samples);
  }
  const noise = new AudioBufferSourceNode(audio, { buffer });
  const band = new BiquadFilterNode(audio, { type: "bandpass", frequency: pitch, Q: 4 });
  const gain = new GainNode(audio, { gain: loud });
  noise.connect(band).connect(gain).connect(audio.destination);
  noise.start(at);
}

/** A soft tone that dies away. */
function tone(audio: AudioContext, at: number, pitch: number, loud: number, length: number): void {
  const source = new OscillatorNode(audio, { type: "triangle", frequency: pitch });
  const gain = new GainNode(audio, { gain: 0 });
  gain.gain.setValueAtTime(0, at);
  gain.gain.linearRampToValueAtTime(loud, at + 0.012);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + length);
  source.connect(gain).connect(audio.destination);
  source.start(at);
  source.stop(at + length);
}

function chord(audio: AudioContext, at: number, pitches: number[]): void {
  for (const [index, pitch] of pitches.entries()) tone(audio, at + index * 0.09, pitch, 0.09, 0.9);
}

const SCORE: Record<Sound, (audio: AudioContext, at: number) => void> = {
  flip: (audio, at) => {
    knock(audio, at, 2600, 0.35, 0.09);
    knock(audio, at + 0.11, 900, 0.9, 0.07);
  },
  move: (audio, at) => knock(audio, at, 700, 1.1, 0.08),
  capture: (audio, at) => {
    knock(audio, at, 420, 1.5, 0.11);
    knock(audio, at + 0.05, 1100, 0.7, 0.06);
  },
  win: (audio, at) => chord(audio, at, [392, 493.9, 587.3, 784]),
  loss: (audio, at) => chord(audio, at, [392, 349.2, 293.7, 220]),
  draw: (audio, at) => chord(audio, at, [392, 440, 392]),
  low: (audio, at) => {
    tone(audio, at, 880, 0.08, 0.18);
    tone(audio, at + 0.22, 880, 0.08, 0.18);
  },
  refused: (audio, at) => tone(audio, at, 150, 0.12, 0.16),
};

export function playSound(sound: Sound): void {
  if (!settings.value.sound || !("AudioContext" in window)) return;
  // A browser lets a page sound only after somebody has touched it.
  if (!navigator.userActivation?.hasBeenActive) return;
  context ??= new AudioContext();
  void context.resume();
  SCORE[sound](context, context.currentTime + 0.01);
}
