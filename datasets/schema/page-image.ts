import {z} from 'zod'

/** What became of an image of a page. All but the first two leave the reference in the page as it was. */
export const ImageOutcome = z.enum([
  /** Its text or formula stands in the page. */
  'repaired',
  /** Its bytes are there, and nobody has looked at them yet. */
  'unread',
  /** A formula or text that no reading was good enough for. */
  'unresolved',
  /** A figure without a text of its own. */
  'figure-kept',
  'image-missing',
  /** A Git LFS pointer stands in for the bytes. */
  'image-is-pointer',
  /** It lies outside of the folder of documentation, or on another site. */
  'image-elsewhere',
  'image-unreadable',
  'image-too-large',
  'image-too-slow',
])
export type ImageOutcome = z.infer<typeof ImageOutcome>

/** An image that a page refers to, and what was read from it. */
export const PageImage = z.strictObject({
  /** The target as the page writes it. */
  file: z.string().min(1),
  kind: z.enum(['formula', 'text', 'figure']),
  outcome: ImageOutcome,
  /** Below the folder of documentation, `/`-separated; with `sha256` where the bytes are there. */
  path: z.string().min(1).optional(),
  sha256: z.string().length(64).optional(),
  /** What character recognition made of it. */
  text: z.string().optional(),
  /** Put into the page, or refused with `reason`. */
  latex: z.string().optional(),
  /** 0 to 1: of the text or formula in the page where it is repaired, else of the recognition. */
  confidence: z.number().min(0).max(1).optional(),
  how: z.enum(['ocr', 'vision', 'text-model', 'rule']).optional(),
  /** Why it is not repaired, kebab-case. */
  reason: z.string().optional(),
})
export type PageImage = z.infer<typeof PageImage>

/** A change that a rule made to broken text. */
export const TextRepair = z.strictObject({
  what: z.enum([
    'mojibake',
    'zero-width',
    'split-word',
    'double-escape',
    'full-width',
    'no-break-space',
    'escaped-underscore',
    'compatibility-character',
  ]),
  before: z.string(),
  after: z.string(),
  /** Of the page's Markdown before any repair, 1-based. */
  line: z.int().positive(),
})
export type TextRepair = z.infer<typeof TextRepair>

/**
 * How the marks of a picture stand to each other, read from left to right. A run is a row of marks of one size and
 * height; `marks` counts them, and a mark of several parts, such as i or =, is one; `parts` counts those. `brackets`
 * are those among its marks whose shape is clear: recognition as text takes one for another.
 */
export type LayoutPiece =
  | {kind: 'run'; text: string; marks: number; parts: number; brackets: string; confidence: number}
  | {kind: 'fraction'; above: LayoutPiece[]; below: LayoutPiece[]}
  | {kind: 'root'; inside: LayoutPiece[]}
  | {kind: 'sup' | 'sub'; row: LayoutPiece[]}
  /** A tall sign with what stands above and below it; `sign` is undefined where its shape is neither's. */
  | {kind: 'big'; sign: 'sum' | 'product' | undefined; above: LayoutPiece[]; below: LayoutPiece[]}

/** What character recognition makes of one image. */
export interface ImageReading {
  width: number
  height: number
  text: string
  /** 0 to 1. */
  confidence: number
  /** Lines of at least two words. */
  lines: number
  /** Of a formula; undefined where the picture has no dark marks on a light ground. */
  layout?: LayoutPiece[]
}

/** An image that recognition cannot be had of, now or later. */
export interface RefusedImage {
  refused: 'image-unreadable' | 'image-too-large' | 'image-too-slow'
  detail: string
}

/** The images of pages, and what recognition makes of them; pictures that cannot be used are a value. */
export interface ImageReader {
  /** Everything that shapes a reading. */
  readonly fingerprint: string
  /**
   * The bytes that a page's record names.
   * @throws PipelineError `input-unreadable` when they are gone or others by now
   */
  bytes(path: string, sha256: string): Promise<Uint8Array>
  /**
   * @throws PipelineError `executor-failed` when recognition dies, `interrupted` as soon as `signal` is aborted
   */
  read(
    bytes: Uint8Array,
    kind: 'formula' | 'figure',
    signal: AbortSignal,
  ): Promise<RefusedImage | ({refused?: undefined} & ImageReading)>
  close(): Promise<void>
}
