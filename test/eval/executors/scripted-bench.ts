import {readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {objectStore} from '../../../eval/executors/objects.ts'
import type {Bench, Tools} from '../../../eval/executors/tools.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'

export const identity = {name: 'twin', fingerprint: 'f', compiler: 'c', soc: 'Ascend910B1'}

/** Tools that are only named: their commands are written down in place of being run. */
export function namedTools(prebuilt: Partial<Tools['prebuilt']> = {}): Tools {
  return {
    compiler: {command: 'clang++', kind: 'clang', major: 15, version: 'clang 15'},
    prebuilt: {
      directory: '/twin',
      include: '/twin/include',
      header: {kernel: ['--kernel-header'], cube: ['--cube-header'], host: ['--host-header']},
      library: '/twin/libtwin.so',
      runner: '/twin/twin-run',
      device: false,
      names: new Set<string>(),
      command: (side: string, args: readonly string[]) => [`compile-${side}`, ...args],
      ...prebuilt,
    },
    soc: 'Ascend910B1',
    identity,
    objects: objectStore(),
    linker: ({options, inputs, output}: Parameters<Tools['linker']>[0]) => [
      'link',
      ...options.map((option) => option.join(' ')),
      ...inputs,
      `> ${output}`,
    ],
  } as unknown as Tools
}

/** What tools say to a command that fails, by words of it; all others do what they are asked for. */
type Refusals = Readonly<Record<string, string>>

/** A bench on which nothing runs: it writes down its commands, and the files that they would make. */
export async function scriptedBench(refusals: Refusals = {}) {
  const directory = await temporaryFolder()
  const commands: string[] = []
  const bench: Pick<Bench, 'directory' | 'tool'> = {
    directory,
    async tool(command) {
      const line = command.join(' ')
      commands.push(line)
      const refused = Object.keys(refusals).find((words) => line.includes(words))
      if (refused !== undefined) return {ok: false, stderr: refusals[refused] ?? ''}
      const valueOf = (option: string) => command[command.indexOf(option) + 1] ?? ''
      const list = valueOf('-MF')
      const source = command.includes('-c') ? valueOf('-c') : command.at(-1)
      if (command.includes('-MF')) writeFileSync(join(directory, list), `o: ${source}\n`)
      const output = command.includes('-o') ? valueOf('-o') : command.at(-1)?.slice(2)
      if (output && !command.includes('-fsyntax-only')) writeFileSync(join(directory, output), line)
      return {ok: true, stderr: 'remarks'}
    },
  }
  const text = (path: string) => readFileSync(join(directory, path), 'utf8')
  return {bench: bench as Bench, commands, directory, text}
}
