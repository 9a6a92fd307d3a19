import {expect, test} from 'vitest'
import {checkTeacherNames, teacherNames} from '../../../pipelines/commands/run-recipes.ts'
import {profileFor} from '../../helpers/teacher.ts'
import {recordedWorld} from '../../helpers/world.ts'

const asked = 'Stages use documentation, vision, kernel, perplexity, project, candidates, correction, craft.'

function checked(names: readonly string[], own: boolean): string[] {
  const world = recordedWorld()
  const teachers = Object.fromEntries(names.map((name) => [name, profileFor('http://127.0.0.1:9/v1')]))
  checkTeacherNames(teachers, own, world.terminal)
  return world.said
}

test.each([true, false])('names that stages ask for are fine, own recipes or not (%s)', (own) => {
  expect(checked(teacherNames, own)).toEqual([])
  expect(checked([], own)).toEqual([])
})

test('a name that looks like one of ours stops the run, where no recipe of the user may ask for it', () => {
  expect(() => checked(['kernal'], false)).toThrow(
    expect.objectContaining({
      code: 'config-invalid',
      scope: 'run',
      message: 'No stage uses the teacher profile kernal; everything would be written offline.',
      fix: `Did you mean teachers.kernel? ${asked}`,
      evidence: {profile: 'kernal'},
    }),
  )
})

test.each<[string, boolean, string[]]>([
  ['kernal', true, ['warning: No bundled stage uses the teacher profile kernal; did you mean teachers.kernel?']],
  ['judge', true, []],
  [
    'judge',
    false,
    [`warning: No stage uses the teacher profile judge; only \`eval --candidates judge\` uses it. ${asked}`],
  ],
])('of %s, with own recipes %s, is said %j', (name, own, said) => {
  expect(checked(['kernel', name, 'craft'], own)).toEqual(said)
})
