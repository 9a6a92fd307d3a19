import {verifyDataset} from '../../datasets/verify/verify-dataset.ts'
import {explained} from './terminal.ts'
import {counted} from './text-table.ts'
import type {World} from './world.ts'

const reading = 'reading every row, and counting what the card says of them: about a second for 1,000 rows'

/** `ascend-cot verify`: is a data set what its manifest and its card say, row by row. Returns 1 where it is not. */
export async function verify({folder, json}: {folder: string; json: boolean}, {terminal}: World): Promise<number> {
  const {files, rows, problems} = await explained(terminal, reading, verifyDataset(folder))
  if (json) terminal.print(JSON.stringify({folder, files, rows, problems}))
  else {
    for (const {file, row, what, fix} of problems) {
      const place = row === undefined ? file : `${file} row ${row}`
      terminal.say(`error: ${visible(place)}: ${visible(what)}\n  → ${fix}`)
    }
    const state = problems.length === 0 ? 'all is as declared' : counted(problems.length, 'problem')
    terminal.print(`${folder}: ${counted(files, 'file')}, ${counted(rows, 'row')}, ${state}`)
  }
  return problems.length === 0 ? 0 : 1
}

/** A file's name may hold what a terminal obeys. */
const visible = (text: string) => text.replace(/[\p{Cc}\p{Cf}]/gu, '�')
