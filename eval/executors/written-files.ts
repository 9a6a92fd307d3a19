import {mkdir, writeFile} from 'node:fs/promises'
import {dirname, isAbsolute, join, normalize} from 'node:path'
import type {SourceFile} from '../../datasets/schema/operator.ts'

/**
 * Writes files below a folder; files outside it are skipped. @param textOf the text of a file to write
 * @returns the texts that were written, by their paths in the folder
 */
export async function writeFiles(
  directory: string,
  files: readonly SourceFile[],
  textOf: (file: SourceFile) => string,
): Promise<Map<string, string>> {
  const written = new Map<string, string>()
  for (const {path, text} of files) {
    const inside = normalize(path)
    if (isAbsolute(inside) || inside.startsWith('..')) continue
    written.set(inside, textOf({path: inside, text}))
  }
  for (const [path, text] of written) {
    await mkdir(dirname(join(directory, path)), {recursive: true})
    await writeFile(join(directory, path), text)
  }
  return written
}
