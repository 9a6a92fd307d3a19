import {counted} from '../../engine/counted.ts'
import {verifyDataset} from '../../datasets/verify/verify-dataset.ts'
import {explained} from './terminal.ts'
import type {World} from './world.ts'

const reading = "reading every row and checking the card's numbers: about a second for 1,000 rows"

/**
 * `ascend-cot verify`: checks a data set against its manifest and card, row by row. Returns 1 when it does not match.
 */
export async function verify({folder, json}: {folder: string; json: boolean}, {terminal}: World): Promise<number> {
  const {files, rows, problems} = await explained(terminal, reading, verifyDataset(folder))
  if (json) terminal.print(JSON.stringify({folder, files, rows, problems}))
  else {
    for (const {file, row, what, fix} of problems) {
      const place = row === undefined ? file : `${file} row ${row}`
      terminal.say(`error: ${visible(place)}: ${visible(what)}\n  → ${fix}`)
    }
    const state = problems.length === 0 ? 'everything matches' : counted(problems.length, 'problem')
    terminal.print(`${folder}: ${counted(files, 'file')}, ${counted(rows, 'row')}, ${state}`)
  }
  return problems.length === 0 ? 0 : 1
}

/** A file's name may contain control characters. */
const visible = (text: string) => text.replace(/[\p{Cc}\p{Cf}]/gu, '�')
