/** Every word the element shows. */
export const WORDS = {
  model: "3D character",
  camera: "3D view. Arrow keys turn it, plus and minus zoom, 0 resets.",
  play: "Play",
  pause: "Pause",
  timeline: "Timeline",
  clip: "Clip",
  speed: "Speed",
  loop: "Loop",
  loops: { repeat: "Repeat", once: "Once", pingpong: "Ping-pong" },
  times: (count: number) => `${count} times`,
  loading: "Loading",
  errorTitle: "This model can't be shown",
  dismiss: "Dismiss",
  reload: "Start again",
  timeText: (time: string, duration: string) => `${time} of ${duration} seconds`,
  speedText: (rate: number) => `${rate}×`,
} as const;
