import {spawn} from 'node:child_process'
import {createHash} from 'node:crypto'
import {cpSync, readFileSync, rmSync} from 'node:fs'
import {join} from 'node:path'
import {walk} from '../../engine/files.ts'
import {randomFrom} from '../../engine/random.ts'

/**
 * The release again, killed with SIGKILL at random moments and continued each time, beside the one that was left alone.
 * @param seconds how long that one took
 */
export async function killedRelease(folder: string, kills: number, seconds: number, args: string[]): Promise<void> {
  const again = join(folder, 'killed')
  cpSync(join(folder, 'documentation'), join(again, 'documentation'), {recursive: true})
  cpSync(join(folder, 'input-bytes'), join(again, 'input-bytes'))
  const random = randomFrom('bench export kills')
  const lived: number[] = []
  while (lived.length < kills) lived.push(await killed(again, args, (seconds * random.unit()) / 2))
  const code = await releaseIn(again, args).end
  if (code !== 0) throw new Error(`the continued release ended with ${code}`)
  const [peace, war] = [await hashOf(join(folder, 'dataset')), await hashOf(join(again, 'dataset'))]
  console.log(`killed after ${lived.map((one) => one.toFixed(1)).join(', ')} s of work and continued each time:`)
  console.log(peace === war ? 'the files are the same, byte for byte' : 'THE FILES DIFFER')
  rmSync(again, {recursive: true})
}

async function killed(folder: string, args: string[], after: number): Promise<number> {
  const {child, started, end} = releaseIn(folder, args)
  await Promise.race([started, end])
  const begun = performance.now()
  const late = setTimeout(() => child.kill('SIGKILL'), after * 1000)
  await end
  clearTimeout(late)
  return (performance.now() - begun) / 1000
}

function releaseIn(folder: string, args: string[]) {
  const program = ['--import', 'tsx', 'test/bench/export-run.ts', 'release', folder, '0', ...args]
  const child = spawn(process.execPath, program, {stdio: ['ignore', 'pipe', 'inherit']})
  const started = new Promise<void>((resolve) => child.stdout.once('data', () => resolve()))
  const end = new Promise<number | null>((resolve) => child.once('exit', resolve))
  return {child, started, end}
}

async function hashOf(folder: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const path of walk(folder)) hash.update(path).update(readFileSync(join(folder, path)))
  return hash.digest('hex')
}
