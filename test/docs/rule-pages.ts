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
    'A *dropped* record is unfit for what a stage makes of it. It is counted and kept with its reason and a detail: ' +
      '`ascend-cot status` counts reasons by stage, and `ascend-cot inspect <id>` shows the detail. A drop is not an ' +
      'error: it ends nothing, and `resume` does not repeat it. Records that failed for outside reasons are listed ' +
      'under [errors](errors.md); what each stage does is listed under [stages](stages.md).',
    ...Object.entries(dropReasons.byTopic()).flatMap(([topic, reasons]) => [
      `## ${topic}`,
      table(
        ['reason', 'what it means', 'what to do', 'stages that name it'],
        Object.entries(reasons).map(([name, one]) => [code(name), one.means, one.do, droppedBy(name)]),
      ),
    ]),
  ])
}

export function judgeRulesPage(messages: Readonly<Record<string, string>>): string {
  return page([
    '# Rules of the judge',
    generated('`eval/rules.yaml`'),
    'A candidate that breaks a rule of the device gets the outcome `violated`, with rule, block, API, tensor, message ' +
      'and a fix; one that avoids the work gets the outcome `cheated`, with a rule of integrity. Messages below are ' +
      'those that tests of the twin see. ' +
      '[How a verdict comes about](../explanations/verdicts.md) says what one proves.',
    ...Object.entries(judgeRules.byTopic()).flatMap(([topic, rules]) => [
      `## ${topic}`,
      table(
        ['rule', 'what it means', 'typical cause', 'example of a message'],
        Object.entries(rules).map(([name, rule]) => [code(name), rule.means, rule.cause, messages[name] ?? '']),
      ),
    ]),
    '## Strict and tolerant runs',
    'A strict run ends at the first broken rule. A tolerant run, which a benchmark’s literal check uses, goes on where ' +
      'the device goes on with the values that it has (hazards, use after free, accesses near a tensor, copies that are ' +
      'rounded down, state left at the end) and reports the first rule broken. The vendor’s own checks and the rules ' +
      'that answer them are compared in [eval/twin/README.md](../../eval/twin/README.md#rules).',
  ])
}
