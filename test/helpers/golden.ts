import {existsSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {expect} from 'vitest'

/**
 * Compares text with a golden file. A missing file is written, and fails under CI, where nobody would look at it; a
 * difference is left beside it as `<file>-changed`, to be looked at and renamed when it is right.
 */
export function golden(file: string, actual: string): void {
  const changed = `${file}-changed`
  if (!existsSync(file)) {
    writeFileSync(file, actual)
    if (process.env['CI'] === 'true') expect.fail(`${file} did not exist; it was written: look at it and commit it.`)
    return
  }
  const expected = readFileSync(file, 'utf8')
  if (expected === actual) rmSync(changed, {force: true})
  else writeFileSync(changed, actual)
  // The texts themselves may be long; the two files are better to compare than a terminal full of them.
  expect(actual === expected, `${file} differs; the new text is in ${changed}`).toBe(true)
}
