// The colours of figures. One scale for weights everywhere, from 0 to 1 in a single hue, even in
// CIELAB lightness; contributions, another quantity, have another hue. Pure: figures and exports
// take concrete colours from here, the style sheet has the same ones for the rest of the page.
import type { Quantity } from '../state/view'
import { byteOf, hexOf, labOf, rgbFromHex, rgbOf, type Lab, type Rgb } from './lab'

export type Theme = 'light' | 'dark'

export interface Palette {
  background: string
  ink: string
  muted: string
  line: string
  /** Lines that must be seen: axes, edges. */
  strong: string
  /** The fixed query. */
  query: string
  accent: string
  contribution: string
  ramp: Record<Quantity, readonly [zero: string, one: string]>
  /** Signed numbers: the negative end; the neutral and the positive end are those of weights. */
  negative: string
}

export const palettes: Record<Theme, Palette> = {
  light: {
    background: '#fbfaf6',
    ink: '#1d1c1a',
    muted: '#65615a',
    line: '#e3dfd4',
    strong: '#8b867b',
    query: '#b34a05',
    accent: '#2f2a86',
    contribution: '#0b6b63',
    ramp: { weight: ['#f4f2ec', '#2b2580'], contribution: ['#f4f2ec', '#07554f'] },
    negative: '#7a3a05',
  },
  dark: {
    background: '#14151a',
    ink: '#e9e7e2',
    muted: '#a19e96',
    line: '#2f313b',
    strong: '#6d7080',
    query: '#f6a04d',
    accent: '#b9c2ff',
    contribution: '#7fd9cd',
    ramp: { weight: ['#1d1f27', '#ccd3ff'], contribution: ['#1d1f27', '#9ff0e4'] },
    negative: '#ffc58f',
  },
}

const steps = 256

/** 256 colours from 0 to 1. */
export interface Ramp {
  css: readonly string[]
  /** The same as 0xAABBGGRR, as ImageData has it on the machines there are. */
  packed: Uint32Array
  /** Ink that can be read on each of them. */
  ink: readonly string[]
}

const ramps = new Map<string, Ramp>()

export function rampOf(theme: Theme, quantity: Quantity): Ramp {
  const name = `${theme} ${quantity}`
  const known = ramps.get(name)
  if (known) return known
  const made = rampFrom(between(...palettes[theme].ramp[quantity]))
  ramps.set(name, made)
  return made
}

/** From -1 to 1 around a neutral in the middle. */
export function signedRampOf(theme: Theme): Ramp {
  const name = `${theme} signed`
  const known = ramps.get(name)
  if (known) return known
  const { negative, ramp } = palettes[theme]
  const [neutral, positive] = ramp.weight
  const below = between(neutral, negative)
  const above = between(neutral, positive)
  const made = rampFrom((place) => (place < 0.5 ? below(1 - 2 * place) : above(2 * place - 1)))
  ramps.set(name, made)
  return made
}

/** Which of the 256 colours stands for a value in -1..1. */
export function signedStep(value: number): number {
  return Math.round(((Math.min(1, Math.max(-1, value)) + 1) / 2) * (steps - 1))
}

/** A hue for each head, beside its place and its name; neighbours are far apart. */
export function headColour(theme: Theme, head: number): string {
  // The golden angle: no two of some dozen heads come near each other.
  const hue = ((40 + head * 137.508) * Math.PI) / 180
  const chroma = 48
  const lightness = theme === 'light' ? 48 : 72
  return hexOf(rgbOf([lightness, chroma * Math.cos(hue), chroma * Math.sin(hue)]))
}

/** Straight through CIELAB, at a share of the way from one colour to the other. */
function between(from: string, to: string): (share: number) => Rgb {
  const [start, end] = [labOf(rgbFromHex(from)), labOf(rgbFromHex(to))]
  const along = (axis: 0 | 1 | 2, share: number): number =>
    start[axis] + (end[axis] - start[axis]) * share
  return (share) => rgbOf([along(0, share), along(1, share), along(2, share)] satisfies Lab)
}

function rampFrom(colourAt: (place: number) => Rgb): Ramp {
  const colours = Array.from({ length: steps }, (_, step) => colourAt(step / (steps - 1)))
  return {
    css: colours.map(hexOf),
    packed: Uint32Array.from(colours, ([red, green, blue]) => {
      return ((255 << 24) | (byteOf(blue) << 16) | (byteOf(green) << 8) | byteOf(red)) >>> 0
    }),
    ink: colours.map((colour) => (luminance(...colour) > 0.179 ? '#000000' : '#ffffff')),
  }
}

/** Relative luminance after WCAG 2. Black and white meet at 0.179, both at 4.58 to 1. */
function luminance(...channels: [number, number, number]): number {
  const [r, g, b] = channels.map((channel) => {
    const part = channel / 255
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

/** Which of the 256 colours stands for a value in 0..1. */
export function rampStep(value: number, gamma: number): number {
  const bounded = Math.min(1, Math.max(0, value))
  return Math.round((gamma === 1 ? bounded : bounded ** gamma) * (steps - 1))
}
