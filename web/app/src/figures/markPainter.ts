// Draws marks into a group of an SVG on the page, and touches only what differs from what was drawn
// there before: while a slider is dragged, most of a figure stays as it is.
import { elementOf, type DrawnMark, type SvgElement } from './svgMarks'

const namespace = 'http://www.w3.org/2000/svg'

/** An element of the page, and what it shows. */
interface Drawn {
  node: Element
  element: SvgElement
  pieces: readonly Drawn[]
}

export class MarkPainter {
  readonly #group: SVGGElement
  #drawn: readonly Drawn[] = []

  constructor(group: SVGGElement) {
    this.#group = group
  }

  paint(marks: readonly DrawnMark[]): void {
    this.#drawn = redraw(this.#group, this.#drawn, marks.map(elementOf))
  }
}

/**
 * Makes the children of `parent`, which are `before`, those that are wanted. Elements of one part and
 * kind are the same in their order, whatever comes and goes around them.
 */
function redraw(
  parent: Element,
  before: readonly Drawn[],
  wanted: readonly SvgElement[],
): readonly Drawn[] {
  const left = byKind(before)
  const kept = wanted.map((element) => left[kindOf(element)]?.pop())
  for (const { node } of Object.values(left).flat()) node.remove()
  let next = parent.firstElementChild
  return wanted.map((element, place) => {
    const old = kept[place] ?? made(element)
    if (old.node === next) next = next.nextElementSibling
    else parent.insertBefore(old.node, next)
    return changed(old, element)
  })
}

const kindOf = ({ part, name }: SvgElement): string => name + part

/** The last one first, as the end of a list is quick to take from. */
function byKind(all: readonly Drawn[]): Record<string, Drawn[]> {
  const kinds: Record<string, Drawn[]> = {}
  for (const each of all.toReversed()) (kinds[kindOf(each.element)] ??= []).push(each)
  return kinds
}

function made({ part, name }: SvgElement): Drawn {
  const node = document.createElementNS(namespace, name)
  return { node, element: { part, name, attributes: {}, content: '' }, pieces: [] }
}

function changed({ node, element: before, pieces }: Drawn, element: SvgElement): Drawn {
  const { attributes, content } = element
  for (const name in attributes) {
    const value = attributes[name] ?? ''
    if (before.attributes[name] !== value) node.setAttribute(name, value)
  }
  for (const name in before.attributes) {
    if (!(name in attributes)) node.removeAttribute(name)
  }
  if (typeof content !== 'string') {
    if (pieces.length === 0) node.textContent = ''
    return { node, element, pieces: redraw(node, pieces, content) }
  }
  if (before.content !== content) setText(node, content)
  return { node, element, pieces: [] }
}

/** Other words in the same text node: a new one would be styled and laid out from nothing. */
function setText(node: Element, content: string): void {
  const text = node.firstChild
  if (text instanceof Text) text.data = content
  else node.textContent = content
}
