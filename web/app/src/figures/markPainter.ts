// Draws marks into a group of an SVG on the page, and touches only what differs from what was drawn
// there before: while a slider is dragged, most of a figure stays as it is.
import { elementOf, type DrawnMark, type SvgElement } from './svgMarks'

const namespace = 'http://www.w3.org/2000/svg'

export class MarkPainter {
  readonly #group: SVGGElement
  #drawn: readonly SvgElement[] = []

  constructor(group: SVGGElement) {
    this.#group = group
  }

  paint(marks: readonly DrawnMark[]): void {
    const wanted = marks.map(elementOf)
    redraw(this.#group, this.#drawn, wanted)
    this.#drawn = wanted
  }
}

/** Makes the children of `parent`, which are `before`, those that are wanted. */
function redraw(
  parent: Element,
  before: readonly SvgElement[],
  wanted: readonly SvgElement[],
): void {
  let node = parent.firstElementChild
  wanted.forEach((element, place) => {
    const old = before[place]
    if (!node) parent.append(made(element))
    else if (old?.name === element.name) {
      change(node, old, element)
      node = node.nextElementSibling
    } else {
      const fresh = made(element)
      node.replaceWith(fresh)
      node = fresh.nextElementSibling
    }
  })
  while (node) {
    const next: Element | null = node.nextElementSibling
    node.remove()
    node = next
  }
}

function made(element: SvgElement): Element {
  const node = document.createElementNS(namespace, element.name)
  change(node, { name: element.name, attributes: {}, content: '' }, element)
  return node
}

function change(node: Element, before: SvgElement, { attributes, content }: SvgElement): void {
  for (const name in attributes) {
    const value = attributes[name] ?? ''
    if (before.attributes[name] !== value) node.setAttribute(name, value)
  }
  for (const name in before.attributes) {
    if (!(name in attributes)) node.removeAttribute(name)
  }
  if (typeof content === 'string') {
    if (before.content !== content) node.textContent = content
    return
  }
  const pieces = typeof before.content === 'string' ? [] : before.content
  if (pieces.length === 0) node.textContent = ''
  redraw(node, pieces, content)
}
