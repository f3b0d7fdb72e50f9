// A scene drawn on a canvas, for PNG files and the clipboard. Drawn mark by mark, since a strict
// Content-Security-Policy does not let an SVG be loaded as an image.
import { imageDataOf } from '../figures/raster'
import {
  fontFamily,
  textPieces,
  type ImageMark,
  type LineMark,
  type Mark,
  type Scene,
  type TextMark,
  type TextPiece,
} from '../figures/scene'

/** The pixels of an image mark on a canvas of their own. */
export function canvasOf(mark: ImageMark): HTMLCanvasElement {
  const canvas = document.createElement('canvas')
  canvas.width = mark.pixelWidth
  canvas.height = mark.pixelHeight
  contextOf(canvas).putImageData(imageDataOf(mark.pixels, mark.pixelWidth, mark.pixelHeight), 0, 0)
  return canvas
}

function contextOf(canvas: HTMLCanvasElement): CanvasRenderingContext2D {
  const context = canvas.getContext('2d')
  if (!context) throw new Error('canvas: expected a 2d context; received none')
  return context
}

function drawMark(context: CanvasRenderingContext2D, mark: Mark): void {
  context.save()
  if (mark.kind !== 'image') context.globalAlpha = mark.opacity ?? 1
  if (mark.kind === 'rect') {
    context.beginPath()
    context.roundRect(mark.x, mark.y, mark.width, mark.height, mark.radius ?? 0)
    if (mark.fill !== 'none') {
      context.fillStyle = mark.fill
      context.fill()
    }
    if (mark.stroke !== undefined) {
      context.strokeStyle = mark.stroke
      context.lineWidth = mark.strokeWidth ?? 1
      context.stroke()
    }
  } else if (mark.kind === 'text') {
    drawText(context, mark)
  } else if (mark.kind === 'line') {
    drawLine(context, mark)
  } else {
    context.imageSmoothingEnabled = false
    context.drawImage(canvasOf(mark), mark.x, mark.y, mark.width, mark.height)
  }
  context.restore()
}

function drawText(context: CanvasRenderingContext2D, mark: TextMark): void {
  const pieces = textPieces(mark)
  const useFont = ({ italic, size }: TextPiece): void => {
    const weight = mark.bold === true ? '700 ' : ''
    context.font = `${italic ? 'italic ' : ''}${weight}${String(size)}px ${fontFamily}`
  }
  const widths = pieces.map((piece) => {
    useFont(piece)
    return context.measureText(piece.text).width
  })
  const share = { start: 0, middle: 0.5, end: 1 }[mark.anchor ?? 'start']
  context.translate(mark.x, mark.y)
  context.rotate(((mark.angle ?? 0) * Math.PI) / 180)
  context.fillStyle = mark.fill
  let x = -share * widths.reduce((sum, width) => sum + width, 0)
  for (const [place, piece] of pieces.entries()) {
    useFont(piece)
    context.fillText(piece.text, x, piece.drop)
    x += widths[place] ?? 0
  }
}

function drawLine(context: CanvasRenderingContext2D, mark: LineMark): void {
  context.beginPath()
  for (const [x, y] of mark.points) context.lineTo(x, y)
  context.strokeStyle = mark.stroke
  context.lineWidth = mark.strokeWidth
  context.lineJoin = 'round'
  context.setLineDash([...(mark.dash ?? [])])
  context.stroke()
}

/** Twice the size on screen, so that it stays sharp in print and on a projector. */
const scale = 2

export async function scenePng(scene: Scene): Promise<Blob> {
  const canvas = document.createElement('canvas')
  canvas.width = Math.ceil(scene.width * scale)
  canvas.height = Math.ceil(scene.height * scale)
  const context = contextOf(canvas)
  context.scale(scale, scale)
  context.fillStyle = scene.background
  context.fillRect(0, 0, scene.width, scene.height)
  for (const mark of scene.marks) drawMark(context, mark)
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => {
      if (blob) resolve(blob)
      else reject(new Error('canvas: expected a PNG; received nothing'))
    }, 'image/png')
  })
}
