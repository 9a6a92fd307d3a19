import {z} from 'zod'

/** The outcome for an image of a page. All but the first two leave the page's reference unchanged. */
export const ImageOutcome = z.enum([
  /** Its text or formula is in the page. */
  'repaired',
  /** Its bytes are available but not read yet. */
  'unread',
  /** A formula or text without a good enough reading. */
  'unresolved',
  /** A figure without text. */
  'figure-kept',
  'image-missing',
  /** A Git LFS pointer instead of the bytes. */
  'image-is-pointer',
  /** It is outside the documentation folder, or on another site. */
  'image-elsewhere',
  'image-unreadable',
  'image-too-large',
  'image-too-slow',
])
export type ImageOutcome = z.infer<typeof ImageOutcome>

/** An image that a page refers to, and what was read from it. */
export const PageImage = z.strictObject({
  /** The target as written on the page. */
  file: z.string().min(1),
  kind: z.enum(['formula', 'text', 'figure']),
  outcome: ImageOutcome,
  /** Below the folder of documentation, `/`-separated; with `sha256` if the bytes are available. */
  path: z.string().min(1).optional(),
  sha256: z.string().length(64).optional(),
  /** The result of character recognition. */
  text: z.string().optional(),
  /** Put into the page, or refused with `reason`. */
  latex: z.string().optional(),
  /** 0 to 1: of the text or formula in the page if repaired, otherwise of the recognition. */
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
 * The relative layout of the marks of a picture, from left to right. A run is a row of marks of one size and height;
 * `marks` counts them, and a mark of several parts, such as i or =, is one; `parts` counts those. `brackets` are its
 * brackets with a clear shape: text recognition confuses them.
 */
export type LayoutPiece =
  | {kind: 'run'; text: string; marks: number; parts: number; brackets: string; confidence: number}
  | {kind: 'fraction'; above: LayoutPiece[]; below: LayoutPiece[]}
  | {kind: 'root'; inside: LayoutPiece[]}
  | {kind: 'sup' | 'sub'; row: LayoutPiece[]}
  /** A tall sign with what is above and below it; `sign` is undefined if its shape fits neither. */
  | {kind: 'big'; sign: 'sum' | 'product' | undefined; above: LayoutPiece[]; below: LayoutPiece[]}

/** Character recognition of one image. */
export interface ImageReading {
  width: number
  height: number
  text: string
  /** 0 to 1. */
  confidence: number
  /** Lines of at least two words. */
  lines: number
  /** For a formula; undefined if the picture has no dark marks on a light background. */
  layout?: LayoutPiece[]
}

/** An image that cannot be recognised, now or later. */
export interface RefusedImage {
  refused: 'image-unreadable' | 'image-too-large' | 'image-too-slow'
  detail: string
}

/** The images of pages, and their recognition; unusable pictures are returned as values. */
export interface ImageReader {
  /** Everything that shapes a reading. */
  readonly fingerprint: string
  /**
   * The bytes that a page's record names.
   * @throws PipelineError `input-unreadable` when they are missing or have changed
   */
  bytes(path: string, sha256: string): Promise<Uint8Array>
  /**
   * @throws PipelineError `executor-failed` when recognition crashes, `interrupted` as soon as `signal` is aborted
   */
  read(
    bytes: Uint8Array,
    kind: 'formula' | 'figure',
    signal: AbortSignal,
  ): Promise<RefusedImage | ({refused?: undefined} & ImageReading)>
  close(): Promise<void>
}
