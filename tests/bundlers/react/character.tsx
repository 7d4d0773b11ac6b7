import { useRef } from "react";

import "gambol/element";
import type { GambolPlayerElement } from "gambol/element";
import type {} from "gambol/react";

export function Character() {
  const player = useRef<GambolPlayerElement>(null);
  return (
    <gambol-player
      ref={player}
      className="character"
      src="character.glb"
      clip="Walk"
      autoplay
      camera-controls={false}
      playback-rate="1.5"
      playbackRate={1.5}
      auto-rotate
      loop={3}
      shadow="none"
      onfinished={({ detail }) => console.log(detail.clip.name, detail.reason)}
      onClick={() => player.current?.pause()}
    >
      <img slot="poster" alt="" />
    </gambol-player>
  );
}

export const wrong = [
  // @ts-expect-error no backend is called so
  <gambol-player key="backend" backend="webgl" />,
  // @ts-expect-error that is no number
  <gambol-player key="rate" playback-rate="fast" />,
  // @ts-expect-error there is no such attribute
  <gambol-player key="name" source="character.glb" />,
  // @ts-expect-error markers come by names
  <gambol-player key="marker" onmarker={({ detail }) => detail.title} />,
];
