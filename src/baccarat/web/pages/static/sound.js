// Sounds of the table, synthesised in the browser without any files. They are off by default; the choice
// is stored with the display preferences. Only a net win sounds like one: a loss, a returned stake and a
// round without a wager all end with the same quiet tone.

import { chosen } from "./look.js";

// Each sound consists of strokes: a tone in hertz, or noise around a frequency; its delay and fade-out
// in seconds, and its initial volume.
const STROKES = {
  card: [{ noise: 2400, fades: 0.11, loud: 0.3 }],
  chip: [{ tone: 2350, fades: 0.05, loud: 0.1 }, { tone: 3140, after: 0.04, fades: 0.06, loud: 0.07 }],
  closed: [{ tone: 294, fades: 0.2, loud: 0.14 }, { tone: 220, after: 0.16, fades: 0.35, loud: 0.14 }],
  result: [{ tone: 262, fades: 0.45, loud: 0.1 }],
  alert: [{ tone: 660, fades: 0.5, loud: 0.2 }, { tone: 880, after: 0.25, fades: 0.5, loud: 0.2 }, { tone: 660, after: 0.5, fades: 0.6, loud: 0.2 }],
  won: [{ tone: 392, fades: 0.4, loud: 0.1 }, { tone: 494, after: 0.1, fades: 0.4, loud: 0.1 }, { tone: 587, after: 0.2, fades: 0.6, loud: 0.1 }],
};

let audio = null;
let noise = null;

/** The sound at the end of a round, by the player's net result. */
export function endOf(net) {
  return net > 0 ? "won" : "result";
}

/** Play a sound, if sounds are on. */
export function play(name) {
  if (audio?.state === "running" && isWanted() && !document.hidden) for (const stroke of STROKES[name]) strike(stroke);
}

/** Play a sound on a page that was just loaded; without an earlier click, some browsers stay silent. */
export async function playWhenAllowed(name) {
  if (!isWanted()) return;
  audio ??= new AudioContext();
  if (audio.state === "suspended") await Promise.race([audio.resume(), new Promise((done) => setTimeout(done, 500))]);
  play(name);
}

function isWanted() {
  return chosen("sound") === "audible";
}

// Browsers allow sound only after the visitor has interacted with the page.
for (const touch of ["click", "keydown", "change"]) {
  document.addEventListener(touch, () => {
    if (!isWanted()) return;
    audio ??= new AudioContext();
    if (audio.state === "suspended") audio.resume();
  });
}

function strike({ tone, noise: around, after = 0, fades, loud }) {
  const begins = audio.currentTime + after;
  const volume = new GainNode(audio, { gain: 0 });
  volume.gain.setValueAtTime(loud, begins);
  volume.gain.exponentialRampToValueAtTime(0.0001, begins + fades);
  volume.connect(audio.destination);
  const source = tone ? new OscillatorNode(audio, { type: "triangle", frequency: tone }) : rustle(around, volume);
  if (tone) source.connect(volume);
  source.start(begins);
  source.stop(begins + fades);
}

/** Band-limited noise, like a card on the felt. */
function rustle(around, volume) {
  if (!noise) {
    noise = new AudioBuffer({ length: audio.sampleRate / 4, sampleRate: audio.sampleRate });
    const samples = noise.getChannelData(0);
    for (let i = 0; i < samples.length; i++) samples[i] = Math.random() * 2 - 1;
  }
  const source = new AudioBufferSourceNode(audio, { buffer: noise });
  source.connect(new BiquadFilterNode(audio, { type: "bandpass", frequency: around, Q: 0.8 })).connect(volume);
  return source;
}
