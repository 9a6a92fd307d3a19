import {judgeRules} from '../../eval/rules.ts'
import {dropReasons} from '../../pipelines/report/drop-reasons.ts'
import {stageFiles, textOf} from '../helpers/house.ts'
import {code, generated, page, table} from './page-parts.ts'

// Pages on why something was refused: records by stages, candidates by the judge.

const nameOf = (file: string) => /\bname(?::| =) ['`]([a-z][\w${}-]*)['`]/.exec(textOf(file))?.[1] ?? ''

/** Stages that name a reason, in their docstring or where they drop. */
function droppedBy(reason: string): string {
  const files = stageFiles.filter((file) => new RegExp(`['\`]${reason}['\`]`).test(textOf(file)))
  return files.map((file) => code(nameOf(file))).join(', ')
}

export function dropReasonsPage(): string {
  return page([
    '# Drop reasons',
    generated('`pipelines/report/drop-reasons.yaml`'),
    'A stage *drops* a record that is unfit for its purpose, and stores the reason and a detail. `ascend-cot status` ' +
      'counts reasons by stage, and `ascend-cot inspect <id>` shows the detail. A drop is not an error: it stops ' +
      'nothing, and `resume` does not retry it. For records that failed for outside reasons, see [errors](errors.md); ' +
      'for what each stage does, see [stages](stages.md).',
    ...Object.entries(dropReasons.byTopic()).flatMap(([topic, reasons]) => [
      `## ${topic}`,
      table(
        ['reason', 'meaning', 'what to do', 'stages'],
        Object.entries(reasons).map(([name, one]) => [code(name), one.means, one.do, droppedBy(name)]),
      ),
    ]),
  ])
}

export function judgeRulesPage(messages: Readonly<Record<string, string>>): string {
  return page([
    '# Rules of the judge',
    generated('`eval/rules.yaml`'),
    'A candidate that breaks a hardware rule gets the outcome `violated`, with rule, block, API, tensor, message and ' +
      'fix. A candidate that avoids the work gets the outcome `cheated`, with an integrity rule. The messages are ' +
      'examples from tests of the twin. ' +
      '[How a verdict comes about](../explanations/verdicts.md) says what a verdict proves.',
    ...Object.entries(judgeRules.byTopic()).flatMap(([topic, rules]) => [
      `## ${topic}`,
      table(
        ['rule', 'meaning', 'typical cause', 'example of a message'],
        Object.entries(rules).map(([name, rule]) => [code(name), rule.means, rule.cause, messages[name] ?? '']),
      ),
    ]),
    '## Strict and tolerant runs',
    'A strict run stops at the first broken rule. A tolerant run, which the literal check of a benchmark uses, ' +
      'continues if the device would continue with the values that it has (hazards, use after free, accesses near a ' +
      'tensor, copies that are rounded down, state left at the end), and reports the first broken rule. ' +
      '[eval/twin/README.md](../../eval/twin/README.md#rules) compares the rules with the checks of the vendor.',
  ])
}
