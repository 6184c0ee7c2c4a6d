/** The words of enhanced prompts: framing, light, movement, cuts and sound of shots. */

export const framingWords: readonly string[] = [
  'wide establishing shot',
  'medium shot',
  'close-up',
  'low-angle shot',
  'over-the-shoulder shot',
  'high-angle shot',
  'tracking side shot',
  'extreme close-up',
]
export const lights: readonly string[] = [
  'soft morning light',
  'warm light of the late afternoon',
  'cool overcast daylight',
  'the glow of dusk',
  'crisp light from the side',
  'diffuse light from a window',
]
export const cameraMoves: readonly string[] = [
  'pushes in slowly',
  'glides from left to right',
  'holds still',
  'pulls back to show more of the surroundings',
  'follows at walking pace',
  'tilts up gently',
  'circles by a quarter turn',
  'drifts as if held by hand',
]
export const transitions: readonly string[] = [
  'the picture cuts to',
  'a match cut leads to',
  'the view changes smoothly to',
  'a soft dissolve gives way to',
]

/** Content of a shot for which no sentence of the prompt is left. */
export const continuations: readonly string[] = [
  'the action goes on without a break.',
  'the same subject is seen from another side.',
  'attention moves to the surroundings.',
  'a telling detail fills the picture.',
  'the movement of the shot before is carried on.',
]
export const details: readonly string[] = [
  'the background falls into a shallow blur',
  'small particles float through the light',
  'reflections move over nearby surfaces',
  'fabric and hair move with the air',
  'shadows wander slowly across the ground',
  'fine textures come out in sharp focus',
]
export const endings: readonly string[] = [
  'The movement comes to rest, and the picture holds for a moment.',
  'The light fades a little as the shot settles.',
  'The last gesture is seen to its end.',
]
export const sounds: readonly string[] = [
  'a light wind',
  'footsteps on a hard floor',
  'the rustle of leaves',
  'running water',
  'birdsong',
  'the murmur of voices',
  'the hum of traffic',
  'the creak of wood',
  'soft breathing',
]
export const spaces: readonly string[] = [
  'the room is small and dry',
  'the space is open, with hardly any echo',
  'a short natural reverb binds the sounds together',
  'the sounds follow the picture from shot to shot',
]
export const paces: readonly string[] = ['slow', 'calm', 'steady', 'lively', 'unhurried', 'playful']
export const instruments: readonly string[] = [
  'piano and strings',
  'acoustic guitar',
  'warm synthesizers',
  'solo cello',
  'woodwinds',
  'muted brass',
]
export const arcs: readonly string[] = [
  'swelling towards the last shot',
  'quiet under the voices throughout',
  'fading out over the last second',
  'with a short rest at every cut',
]
