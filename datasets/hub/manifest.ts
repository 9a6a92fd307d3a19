import {createHash} from 'node:crypto'
import {z} from 'zod'
import {byCodeUnit} from '../../engine/code-unit-order.ts'
import {Artifact} from '../schema/sample.ts'

export const manifestPath = 'manifest.json'

/** `manifest.json`: every file of a data set except itself, with size and SHA-256, by path. */
export const Manifest = z.strictObject({files: z.array(Artifact)})
export type Manifest = z.infer<typeof Manifest>

/** The same files give the same text. */
export function manifestText(artifacts: readonly Artifact[]): string {
  const files = [...artifacts].sort((a, b) => byCodeUnit(a.path, b.path))
  return `${JSON.stringify({files}, null, 1)}\n`
}

/** A text that was written to the data set. */
export function textArtifact(kind: Artifact['kind'], path: string, text: string): Artifact {
  const bytes = Buffer.from(text)
  return {kind, path, rows: 0, bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex')}
}
