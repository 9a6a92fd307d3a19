import {readFileSync} from 'node:fs'
import {fileURLToPath} from 'node:url'
import type {JobPlan} from '../plan.ts'
import type {Engine, RenderedFile} from './engine.ts'

/** A program of ours in Python, as it goes along with a job. */
export function pythonFile(name: string): RenderedFile {
  return {path: `python/${name}`, text: readFileSync(fileURLToPath(new URL(`python/${name}`, import.meta.url)), 'utf8')}
}

/** The program that asks an environment; it is handed over as text, as nothing of a job exists yet. */
export function probeOf(
  {name, packages}: Pick<Engine, 'name' | 'packages'>,
  python: string,
  {spec}: Pick<JobPlan, 'spec'>,
): string[] {
  return [python, '-c', pythonFile('probe.py').text, name, spec.method, ...packages]
}
