/**
 * Chooses the resolution of pictures by the time that they take: while they are late, they get fewer pixels. When
 * nothing moves any more, the picture gets them all.
 */
export class Pace {
  readonly #changed: () => void;
  /** Factor of the sides of moving pictures, from 1 / `slack` to 1. */
  #scale = 1;
  /** Pictures since the last choice, and the time that they took. */
  #pictures = 0;
  #secs = 0;
  /** Time since pictures were last late. */
  #goodSecs = 0;
  /** Time without late pictures after which the next larger size is tried. It doubles with each try. */
  #patienceSecs = FIRST_PATIENCE_SECS;
  /** Mean time of a picture before the first choice of fewer pixels. */
  #wholeSecs = 0;
  /** Fewer pixels haven't helped: something else takes the time. */
  #isFutile = false;
  #isStill = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `changed` requests a picture. */
  constructor(changed: () => void) {
    this.#changed = changed;
  }

  /** Factor of the sides of the next picture. */
  get scale(): number {
    return this.#isStill ? 1 : this.#scale;
  }

  /** Begins anew, for another model. */
  reset(): void {
    this.#restart(1);
    this.#goodSecs = 0;
    this.#patienceSecs = FIRST_PATIENCE_SECS;
    this.#isFutile = false;
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  /**
   * Counts a picture.
   *
   * @param secs time since the picture before; 0 after a rest
   * @param slack factor by which sides may be divided
   */
  count(secs: number, slack: number): void {
    if (slack <= 1) return this.#restart(1);
    if (secs === 0 || this.#isFutile) return this.#restart(this.#scale);
    this.#secs += secs;
    if (++this.#pictures < (this.#secs < LONG_SECS ? PICTURES : LONG_PICTURES)) return;
    const meanSecs = this.#secs / this.#pictures;
    if (meanSecs <= LATE_SECS) {
      this.#goodSecs += this.#secs;
      this.#restart(this.#scale);
      if (this.#scale < 1 && this.#goodSecs > this.#patienceSecs) {
        this.#goodSecs = 0;
        this.#patienceSecs *= 2;
        this.#scale = Math.min(this.#scale * STEP, 1);
      }
      return;
    }
    this.#goodSecs = 0;
    const least = 1 / slack;
    if (this.#scale === 1) this.#wholeSecs = meanSecs;
    this.#isFutile = this.#scale <= least && meanSecs > USEFUL * this.#wholeSecs;
    // The time of a picture grows with its area.
    const step = Math.max(STEP, Math.sqrt(meanSecs / LATE_SECS));
    this.#restart(this.#isFutile ? 1 : Math.max(this.#scale / step, least));
  }

  /** After a picture: requests one with all pixels if nothing moves for a while. */
  settle(isMoving: boolean): void {
    clearTimeout(this.#timer);
    if (!isMoving && this.scale < 1) {
      this.#timer = setTimeout(() => {
        this.#isStill = true;
        this.#changed();
      }, REST_MILLIS);
    }
    this.#isStill = false;
  }

  #restart(scale: number): void {
    this.#scale = scale;
    this.#pictures = this.#secs = 0;
  }
}

/** Number of pictures after which the resolution may change: so many that one of 0.1 seconds doesn't change it. */
const PICTURES = 16;
/** The same, when they have taken so long together. */
const LONG_PICTURES = 6;
const LONG_SECS = 0.5;
/** Mean time from which on pictures are late: 40 a second. */
const LATE_SECS = 1 / 40;
/** Smallest factor between two sizes. */
const STEP = 1.25;
/** Share of the time that a picture with the fewest pixels may take at most, for fewer pixels to be worth it. */
const USEFUL = 0.85;
const FIRST_PATIENCE_SECS = 2;
/** Time without motion after which a picture is still. */
const REST_MILLIS = 250;
