// A program of its own that ends while a program and a folder of it are at work.
// node --import tsx test/helpers/ending-work.ts <folder>
import {spawn} from 'node:child_process'
import {mkdirSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {endsWithUs, goingWithUs} from '../../engine/process-group.ts'

const folderOf = (name: string) => join(process.argv[2] as string, name)
const fill = (name: string) => {
  mkdirSync(folderOf(name))
  writeFileSync(join(folderOf(name), 'file'), name)
}

await goingWithUs(folderOf('finished'), async () => fill('finished'))
const {pid} = endsWithUs(spawn('sleep', ['600'], {detached: true, stdio: 'ignore'}))
process.stdout.write(`${pid}`)
void goingWithUs(folderOf('unfinished'), async () => {
  fill('unfinished')
  await new Promise(() => undefined)
})
process.exit(7)
