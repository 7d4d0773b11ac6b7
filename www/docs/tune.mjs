/** Synthesizes the music for the recipe on media, so that no third party's licence applies. */

const RATE = 22050;
/** Length of a beat. The clip `Dance` lasts 4 seconds, which is 8 beats. */
const BEAT_SECS = 0.5;
const BEATS = 16;

/** Frequency of the note A, in hertz. `BASS` has frequencies, and `LINE` the melody in semitones. */
const A = 220;
const BASS = [A / 2, A / 2, A * 0.6, A * 0.6, A / 3, A / 3, A * 0.375, A * 0.375];
const LINE = [0, 4, 7, 12, 7, 4, 9, 7, 0, 3, 7, 10, 7, 3, 12, 10];

/** Returns the music as a WAV file with one channel of 16-bit samples. */
export function tune() {
  const samples = new Float32Array(BEATS * BEAT_SECS * RATE);
  for (let beat = 0; beat < BEATS; beat++) {
    drum(samples, beat * BEAT_SECS);
    tick(samples, (beat + 0.5) * BEAT_SECS);
    pluck(samples, beat * BEAT_SECS, BASS[beat % BASS.length], 0.5, 0.32);
    for (const half of [0, 0.5]) {
      const note = LINE[(beat * 2 + half * 2) % LINE.length];
      pluck(samples, (beat + half) * BEAT_SECS, 2 * A * 2 ** (note / 12), 0.22, 0.12);
    }
  }
  return wav(samples);
}

function pluck(samples, at, frequency, secs, loudness) {
  add(samples, at, secs * 2, (time) => {
    const swing = Math.sin(2 * Math.PI * frequency * time) + 0.3 * Math.sin(4 * Math.PI * frequency * time);
    return loudness * swing * Math.exp((-3 * time) / secs) * Math.min(1, time * 200);
  });
}

/** Adds a tone of falling pitch. */
function drum(samples, at) {
  add(
    samples,
    at,
    0.25,
    (time) => 0.5 * Math.sin(2 * Math.PI * (50 * time - 4 * Math.exp(-30 * time))) * Math.exp(-16 * time),
  );
}

/** Adds pseudorandom noise with a fixed seed, so that every build has the same. */
function tick(samples, at) {
  let seed = 7;
  add(samples, at, 0.05, (time) => {
    seed = (seed * 16807) % 2147483647;
    return 0.08 * (seed / 1073741823.5 - 1) * Math.exp(-90 * time);
  });
}

function add(samples, at, secs, wave) {
  const start = Math.round(at * RATE);
  for (let step = 0; step < secs * RATE && start + step < samples.length; step++)
    samples[start + step] += wave(step / RATE);
}

function wav(samples) {
  const head = Buffer.alloc(44);
  const bytes = samples.length * 2;
  head.write("RIFF", 0);
  head.writeUInt32LE(36 + bytes, 4);
  head.write("WAVEfmt ", 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(RATE, 24);
  head.writeUInt32LE(RATE * 2, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  head.write("data", 36);
  head.writeUInt32LE(bytes, 40);
  const data = Buffer.alloc(bytes);
  samples.forEach((sample, at) => data.writeInt16LE(Math.round(Math.max(-1, Math.min(1, sample)) * 32767), at * 2));
  return Buffer.concat([head, data]);
}
