import type { GlobalComponents } from "vue";

import "gambol/element";
import type {} from "gambol/vue";

export const Character = () => (
  <gambol-player
    class="character"
    src="character.glb"
    clip="Walk"
    autoplay
    cameraControls={false}
    camera-controls
    playback-rate="1.5"
    loop="pingpong"
    onFinished={({ detail }) => console.log(detail.clip.name, detail.reason)}
    onClick={() => console.log("clicked")}
  />
);

export const wrong = [
  // @ts-expect-error no backend is called so
  <gambol-player backend="webgl" />,
  // @ts-expect-error an attribute that says false is there, and so it is on
  <gambol-player camera-controls={false} />,
  // @ts-expect-error markers come by names
  <gambol-player onMarker={({ detail }) => detail.title} />,
];

// What a template is checked against.
type Props = InstanceType<GlobalComponents["gambol-player"]>["$props"];
export const props: Props = {
  src: "character.glb",
  autoplay: true,
  onLoad: ({ detail }) => console.log(detail.clips.length),
};
// @ts-expect-error no shadow is that hard
export const wrongProps: Props = { shadow: "hard" };
