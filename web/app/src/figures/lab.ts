// CIELAB, in which equal steps look equal, and back to the sRGB of screens. d3-color, whose values
// figures.test.ts holds against these, would be a thirtieth of the first view's code.
//
// CIE 15:2018, 8.2.1; white is D50, as CSS Color 4 has it, with Bradford-adapted sRGB primaries.

/** Each 0..255, not rounded; beyond where a colour is none of a screen's. */
export type Rgb = readonly [red: number, green: number, blue: number]

/** Lightness 0..100; a from green to red, b from blue to yellow. */
export type Lab = readonly [lightness: number, a: number, b: number]

const white = [0.96422, 1, 0.82521] as const
/** Below this share of white the cube root is continued by a line. */
const edge = 6 / 29

/** '#rrggbb' */
export function rgbFromHex(hex: string): Rgb {
  const channel = (from: number): number => Number.parseInt(hex.slice(from, from + 2), 16)
  return [channel(1), channel(3), channel(5)]
}

export function hexOf(colour: Rgb): string {
  return `#${colour.map((channel) => byteOf(channel).toString(16).padStart(2, '0')).join('')}`
}

export const byteOf = (channel: number): number => Math.round(Math.min(255, Math.max(0, channel)))

export function labOf([red, green, blue]: Rgb): Lab {
  const [r, g, b] = [linear(red), linear(green), linear(blue)]
  const x = root((0.4360747 * r + 0.3850649 * g + 0.1430804 * b) / white[0])
  const y = root((0.2225045 * r + 0.7168786 * g + 0.0606169 * b) / white[1])
  const z = root((0.0139322 * r + 0.0971045 * g + 0.7141733 * b) / white[2])
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)]
}

export function rgbOf([lightness, a, b]: Lab): Rgb {
  const middle = (lightness + 16) / 116
  const x = white[0] * cube(middle + a / 500)
  const y = white[1] * cube(middle)
  const z = white[2] * cube(middle - b / 200)
  return [
    screen(3.1338561 * x - 1.6168667 * y - 0.4906146 * z),
    screen(-0.9787684 * x + 1.9161415 * y + 0.033454 * z),
    screen(0.0719453 * x - 0.2289914 * y + 1.4052427 * z),
  ]
}

function root(share: number): number {
  return share > edge ** 3 ? Math.cbrt(share) : share / (3 * edge ** 2) + 4 / 29
}

function cube(value: number): number {
  return value > edge ? value ** 3 : 3 * edge ** 2 * (value - 4 / 29)
}

/** IEC 61966-2-1: from the numbers of a screen to light, and back. */
function linear(channel: number): number {
  const part = channel / 255
  return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
}

function screen(light: number): number {
  return 255 * (light <= 0.0031308 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055)
}
