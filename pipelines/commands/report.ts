import {join, resolve} from 'node:path'
import {writeWhole} from '../../engine/files.ts'
import {exportPage} from '../view/export-page.ts'
import {explained} from './terminal.ts'
import type {World} from './world.ts'

/** `ascend-cot report`: what the runs of an output folder made, as one HTML file. */
export async function report({out, json}: {out: string; json: boolean}, {terminal}: World): Promise<number> {
  const file = await explained(terminal, writing, writeReport(out))
  terminal.print(json ? JSON.stringify({report: file}) : file)
  return 0
}

/** Printed while the report is written: a few seconds for thousands of rows. */
export const writing = 'writing the report from every row and run, usually 2 to 10 s'

/** Writes `<out>/report.html` and returns its path. */
export async function writeReport(out: string): Promise<string> {
  const file = join(resolve(out), 'report.html')
  await writeWhole(file, await exportPage(resolve(out)))
  return file
}
