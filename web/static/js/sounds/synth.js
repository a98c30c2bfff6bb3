// The sounds of the ballpark, made of noise and tones as they are played. There are no recordings.

// What one row needs is beside the function that plays it: `crack`, `crowd` and `organ`.
export const SOUNDS = {
  bat: [crack, { knocks: [[2800, .8, .01, 1], [1350, 6, .03, .8], [640, 4, .04, .6]], thump: [220, .06, .12] }],
  stir: [crowd, { seconds: 1.7, rise: .25, loud: .62, people: 14, pitch: 200, bend: .95, vowel: "ah", claps: 25 }],
  cheer: [crowd, { seconds: 2.6, rise: .3, loud: .76, people: 30, pitch: 220, bend: 1, vowel: "ah", claps: 60 }],
  shout: [crowd, { seconds: 3.4, rise: .25, loud: .84, people: 45, pitch: 240, bend: 1.05, vowel: "ah", claps: 90, whistles: 1 }],
  roar: [crowd, { seconds: 5.5, rise: .3, loud: .9, people: 70, pitch: 250, bend: 1.05, vowel: "ah", claps: 130, whistles: 4 }],
  sigh: [crowd, { seconds: 1.1, rise: .2, loud: .5, people: 10, pitch: 180, bend: .7, vowel: "oh", together: true }],
  groan: [crowd, { seconds: 1.9, rise: .18, loud: .74, people: 26, pitch: 190, bend: .62, vowel: "oh", together: true }],
  claps: [crowd, { seconds: 2, rise: .3, loud: .6, people: 4, pitch: 210, bend: 1, vowel: "ah", claps: 45 }],
  applause: [crowd, { seconds: 5, rise: .6, loud: .8, people: 30, pitch: 210, bend: 1, vowel: "ah", claps: 160, whistles: 2 }],
  // Notes are [beat, beats, key ...]; key 60 is middle C. Composed for Dugout.
  fanfare: [organ, { beat: .15, notes: [
    [0, .8, 58, 62, 65], [1, .8, 60, 63, 67], [2, .8, 62, 65, 69], [3, .8, 63, 67, 70],
    [4, 1.6, 53, 65, 69, 72, 75], [6, .6, 65, 69, 72, 75], [7, 7, 46, 70, 74, 77, 82],
  ] }],
  rally: [organ, { beat: .16, notes: [
    [0, 1, 53, 65, 69], [1.5, .5, 62], [2, 1, 53, 65, 69, 74], [3.5, .5, 69], [4, 1, 58, 70, 74, 77], [5.5, .5, 74],
    [6, 1, 48, 64, 70, 76], [7.5, 5, 53, 65, 69, 77],
  ] }],
  change: [organ, { beat: .22, notes: [
    [0, .9, 48, 60, 64, 67], [1, .5, 76], [1.66, .3, 74], [2, .9, 45, 57, 60, 64, 72], [3, .5, 74], [3.66, .3, 76],
    [4, .9, 50, 62, 65, 69, 77], [5, .5, 76], [5.66, .3, 74], [6, .9, 43, 59, 62, 65, 71], [7, .5, 69], [7.66, .3, 71],
    [8, 4, 48, 60, 64, 67, 72],
  ] }],
  closing: [organ, { beat: .3, notes: [
    [0, 1.8, 46, 58, 62, 65], [2, 1.8, 46, 58, 61, 65], [4, .9, 41, 60, 65, 69], [5, .9, 43, 58, 64, 67],
    [6, 6, 41, 53, 60, 65, 69, 77],
  ] }],
  yours: [organ, { beat: .12, notes: [[0, .8, 71, 83], [1, 2, 76, 88]] }],
};

/** Seconds that the echo of a sound goes on after its end. */
export const ECHO = 1.2;

/** Play a sound into `out` from second `at` of an audio context on, and return the second at which it ends. */
export function sound(context, out, name, at) {
  const [play, row] = SOUNDS[name];
  return play(context, out, at, row);
}

/** Return a node for all sounds to go through: the ballpark, which echoes. */
export function ballpark(context) {
  const inside = new GainNode(context), wet = new GainNode(context, { gain: .3 });
  const walls = noise(context, ECHO, (t) => t < .03 ? 0 : Math.exp(-t / .22) * (1 - t / ECHO), 2);
  inside.connect(context.destination);
  inside.connect(new ConvolverNode(context, { buffer: walls })).connect(wet).connect(context.destination);
  return inside;
}

/** Return noise as a buffer, equally loud at any sample rate; `shape` gives its loudness at each second. */
function noise(context, seconds, shape, channels = 1) {
  const { sampleRate } = context, loud = Math.sqrt(sampleRate / 48000);
  const buffer = context.createBuffer(channels, seconds * sampleRate, sampleRate);
  for (let channel = 0; channel < channels; channel += 1) {
    const samples = buffer.getChannelData(channel);
    for (let i = 0; i < samples.length; i += 1) samples[i] = loud * (2 * Math.random() - 1) * shape(i / sampleRate, sampleRate);
  }
  return buffer;
}

const band = (context, frequency, Q) => new BiquadFilterNode(context, { type: "bandpass", frequency, Q });

/** Return a gain that rises to `loud` within `rise` seconds from `at` on, then falls to nothing until `seconds` are over. */
function swell(context, at, rise, seconds, loud, power = 1.2) {
  const level = new GainNode(context, { gain: 0 });
  const shape = (t) => t < rise ? t / rise : ((seconds - t) / (seconds - rise)) ** power;
  level.gain.setValueCurveAtTime(Float32Array.from({ length: 128 }, (_, i) => loud * shape(seconds * i / 127)), at, seconds);
  return level;
}

/** The bat meets the ball: `knocks` of noise are [hertz, sharpness, seconds to fade, loudness], the `thump` below them
    [hertz, seconds, loudness]. */
function crack(context, out, at, { knocks, thump: [hertz, seconds, loud] }) {
  for (const [frequency, sharpness, fade, loudness] of knocks) {
    const hit = new AudioBufferSourceNode(context, { buffer: noise(context, 8 * fade, (t) => Math.exp(-t / fade)) });
    hit.connect(band(context, frequency, sharpness)).connect(new GainNode(context, { gain: loudness })).connect(out);
    hit.start(at);
  }
  const thump = new OscillatorNode(context, { frequency: hertz });
  thump.frequency.exponentialRampToValueAtTime(hertz / 3, at + seconds);
  thump.connect(swell(context, at, .002, seconds, loud)).connect(out);
  thump.start(at);
  thump.stop(at + seconds);
  return at + .4;
}

// How a mouth colors a voice: [hertz, sharpness, loudness].
const VOWELS = {
  ah: [[700, 4, 1], [1150, 6, .8], [2500, 7, .5]],
  oh: [[430, 4, 1], [820, 6, .6], [2300, 7, .12]],
};

/** A crowd of `people` who shout at about `pitch` hertz, which bends by the factor `bend`, over a bed of noise; with
    `claps` a second, and a few `whistles`. `together` all begin at once, else one after the other. */
function crowd(context, out, at, { seconds, rise, loud, people, pitch, bend, vowel, claps = 0, whistles = 0, together }) {
  const end = at + seconds, level = swell(context, at, rise, seconds, loud), mouths = new GainNode(context);
  level.connect(out);
  for (const [frequency, sharpness, gain] of VOWELS[vowel]) {
    mouths.connect(band(context, frequency, sharpness)).connect(new GainNode(context, { gain })).connect(level);
  }
  const hiss = (shape, gain, frequency, sharpness, into) => {
    const source = new AudioBufferSourceNode(context, { buffer: noise(context, seconds, shape) });
    source.connect(band(context, frequency, sharpness)).connect(new GainNode(context, { gain })).connect(into);
    source.start(at);
  };
  hiss(() => 1, .5, 900, .6, level);
  hiss(() => 1, .5, 900, .3, mouths);
  let clap = 0;
  if (claps) hiss((t, rate) => clap = Math.random() < claps / rate ? .4 + .6 * Math.random() : clap * (1 - 180 / rate), 1.3, 1500, .8, level);
  for (let i = 0; i < people + whistles; i += 1) {
    const whistle = i >= people;
    const from = at + (together ? .12 * Math.random() : .65 * seconds * Math.random() ** 2);
    const length = Math.min(end - from, whistle ? .6 : together ? seconds : .35 + .6 * Math.random());
    const high = whistle ? 1900 + 500 * Math.random() : pitch * 2 ** (1.5 * Math.random() - .75);
    const voice = new OscillatorNode(context, { type: whistle ? "sine" : "sawtooth", frequency: high * .85 });
    voice.frequency.setValueAtTime(high * .85, from);
    voice.frequency.linearRampToValueAtTime(high * 1.1, from + .25 * length);
    voice.frequency.linearRampToValueAtTime(high * bend, from + length);
    voice.connect(swell(context, from, .3 * length, length, whistle ? .07 : .9 / Math.sqrt(people), 1)).connect(whistle ? level : mouths);
    voice.start(from);
    voice.stop(from + length);
  }
  return end;
}

// Loudness of the drawbars, from 16 to 1 foot, each at its multiple of the lowest.
const DRAWBARS = { 1: 6, 3: 4, 2: 8, 4: 7, 6: 4, 8: 5, 10: 1, 12: 2, 16: 3 };

/** An organ with vibrato. A `beat` is in seconds. */
function organ(context, out, at, { beat, notes }) {
  const bars = Float32Array.from({ length: 17 }, (_, i) => DRAWBARS[i] != null ? DRAWBARS[i] : 0);
  const wave = new PeriodicWave(context, { imag: bars });
  const shaking = new OscillatorNode(context, { frequency: 6.6 }), depth = new GainNode(context, { gain: 9 });
  const end = at + beat * Math.max(...notes.map(([on, beats]) => on + beats));
  shaking.connect(depth);
  for (const [on, beats, ...keys] of notes) {
    const from = at + on * beat, to = from + beats * beat;
    const touch = new GainNode(context, { gain: 0 });
    touch.gain.setValueAtTime(0, from);
    touch.gain.linearRampToValueAtTime(.07, from + .008);
    touch.gain.setValueAtTime(.07, to - .04);
    touch.gain.linearRampToValueAtTime(0, to);
    touch.connect(out);
    for (const key of keys) {
      const pipe = new OscillatorNode(context, { frequency: 220 * 2 ** ((key - 69) / 12) });
      pipe.setPeriodicWave(wave);
      depth.connect(pipe.detune);
      pipe.connect(touch);
      pipe.start(from);
      pipe.stop(to);
    }
  }
  shaking.start(at);
  shaking.stop(end);
  return end;
}
