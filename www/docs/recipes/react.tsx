import { useRef, useState } from "react";
import { createRoot } from "react-dom/client";

import "gambol/element";
import type { GambolPlayerElement } from "gambol/element";
import type {} from "gambol/react";

function Character() {
  const element = useRef<GambolPlayerElement>(null);
  const [clips, setClips] = useState<readonly string[]>([]);
  const [clip, setClip] = useState("Walk");

  const buttons = clips.map((name) => (
    <button key={name} type="button" aria-pressed={name === clip} onClick={() => setClip(name)}>
      {name}
    </button>
  ));
  return (
    <>
      <gambol-player
        ref={element}
        src="character.glb"
        clip={clip}
        crossfade={0.4}
        autoplay
        camera-controls
        alt={`A goat kid: ${clip}`}
        onload={({ detail }) => {
          setClips(detail.clips.map(({ name }) => name));
        }}
      />
      <div className="panel">
        {buttons}
        <button type="button" onClick={() => element.current?.player?.camera.reset()}>
          Reset the view
        </button>
      </div>
    </>
  );
}

createRoot(document.querySelector("#root")!).render(<Character />);
