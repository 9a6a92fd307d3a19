import type {Config} from '../workspace/config.ts'
import {PipelineError} from '../../engine/errors.ts'
import {nearest} from '../../engine/nearest.ts'
import type {Terminal} from './terminal.ts'

/** The teacher profiles that the bundled stages use. */
export const teacherNames: readonly string[] = [
  'documentation',
  'vision',
  'kernel',
  'perplexity',
  'project',
  'candidates',
  'correction',
  'craft',
]

/**
 * Without this check, a mistyped profile would never be used and everything silently written offline.
 * @param own whether the user's own recipes are involved, whose stages may use other names
 * @throws PipelineError `config-invalid` for a name that looks like one of ours
 */
export function checkTeacherNames(teachers: Config['teachers'], own: boolean, terminal: Terminal): void {
  for (const name of Object.keys(teachers).filter((one) => !teacherNames.includes(one))) {
    const guess = nearest(name, teacherNames)
    const unasked = `No stage uses the teacher profile ${name}`
    const ours = `No bundled stage uses the teacher profile ${name}`
    const asked = `Stages use ${teacherNames.join(', ')}.`
    if (guess !== undefined && !own) {
      throw new PipelineError('config-invalid', `${unasked}; everything would be written offline.`, {
        fix: `Did you mean teachers.${guess}? ${asked}`,
        evidence: {profile: name},
      })
    }
    if (!own) terminal.say(`warning: ${unasked}; only \`eval --candidates ${name}\` uses it. ${asked}`)
    else if (guess !== undefined) terminal.say(`warning: ${ours}; did you mean teachers.${guess}?`)
  }
}
