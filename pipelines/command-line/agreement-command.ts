import {join} from 'node:path'
import {declared} from './declared.ts'
import {configOf, outOf} from './given.ts'
import {count, folders, named} from './option.ts'
import {shared} from './usual-options.ts'

export const agreementCommand = declared({
  name: 'agreement',
  operands: ['[A]', '[B]'],
  help: 'compare the verdicts of two executors on the same candidates, or draw candidates to be judged elsewhere',
  about: {
    '[A]': 'a run that judged candidates (its name in the output folder, or its directory), or a file of verdicts',
    '[B]': 'another',
  },
  examples: ['agreement candidates verdicts.jsonl', 'agreement --draw 1000 --from mined --to drawn'],
  options: {
    ...shared,
    draw: count('<count>', 'compare nothing; draw this number of candidates from the judged runs of the output folder'),
    from: folders('with --draw: also draw from this run or output folder, e.g. of mined operators; repeatable'),
    to: named(
      '<folder>',
      'folder for page and table, or for the drawn set (default: agreement, or drawn, in the output folder)',
    ),
  },
  fault([a, b], {draw, from}) {
    if (from.length > 0 && draw === undefined) return '--from needs --draw <count>'
    if (draw !== undefined) return a === undefined ? undefined : '--draw compares nothing: it takes no run'
    return b === undefined ? 'name two runs, a run and a file of verdicts, or --draw <count>' : undefined
  },
  async run([a = '', b = ''], {draw, from, to, ...options}, world) {
    const out = outOf(options, world)
    if (draw !== undefined) {
      const asked = {count: draw, from, to: to ?? join(out, 'drawn'), json: options.json}
      return (await import('../commands/draw.ts')).draw(asked, await configOf(options, world), world)
    }
    const {compareExecutors} = await import('../commands/compare-executors.ts')
    return compareExecutors({a, b, out, to: to ?? join(out, 'agreement'), json: options.json}, world)
  },
})
