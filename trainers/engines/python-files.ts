import {readFileSync} from 'node:fs'
import {fileURLToPath} from 'node:url'
import type {JobPlan} from '../plan.ts'
import type {Engine, RenderedFile} from './engine.ts'

/** One of our Python programs, shipped with a job. */
export function pythonFile(name: string): RenderedFile {
  return {path: `python/${name}`, text: readFileSync(fileURLToPath(new URL(`python/${name}`, import.meta.url)), 'utf8')}
}

/** The program that queries an environment; passed as text, because no job folder exists yet. */
export function probeOf(
  {name, packages}: Pick<Engine, 'name' | 'packages'>,
  python: string,
  {spec}: Pick<JobPlan, 'spec'>,
): string[] {
  return [python, '-c', pythonFile('probe.py').text, name, spec.method, ...packages]
}
