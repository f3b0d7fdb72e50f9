// Claims that are made about the width of heads, and figures that papers report of it: quoted as
// published, not measured here.

export const claimIds = ['bottleneck', 'many', 'selection', 'noise'] as const
export type ClaimId = (typeof claimIds)[number]

export const publishedIds = ['vaswani', 'large', 'widths'] as const
export type PublishedId = (typeof publishedIds)[number]

/** Where each table is from. */
export const publishedIn = {
  vaswani: 'vaswani',
  large: 'bhojanapalli',
  widths: 'bhojanapalli',
} as const satisfies Record<PublishedId, string>

/** Heads, d_k, and the figures as printed. */
export const published: Record<
  PublishedId,
  readonly (readonly [heads: number, headDim: number, ...figures: string[]])[]
> = {
  // Table 3, rows (A) with the base model between them, then rows (B).
  vaswani: [
    [1, 512, '24.9'],
    [4, 128, '25.5'],
    [8, 64, '25.8'],
    [16, 32, '25.8'],
    [32, 16, '25.4'],
    [8, 32, '25.4'],
    [8, 16, '25.1'],
  ],
  // Table 1.
  large: [
    [8, 128, '90.89', '85'],
    [16, 64, '90.61', '84.5'],
    [32, 32, '90.45', '84.4'],
  ],
  // Table 2B.
  widths: [
    [8, 32, '88.53', '82.5'],
    [8, 64, '89.51', '83.4'],
    [8, 128, '89.6', '83.5'],
    [8, 256, '90.33', '83.9'],
  ],
}
