import {formatFiles} from '../../datasets/operator-reply.ts'
import type {Failure} from '../../datasets/schema/correction.ts'
import {paragraphs, type Voice} from '../../datasets/voice.ts'
import type {CompileError} from './compile-error.ts'
import type {FailureFacts} from './failure-facts.ts'
import {evidenceText} from './offline/observation-text.ts'

const form = {
  en: 'Give each file that changes, whole, under the line that names it; files that stay are left out.',
  zh: '请给出每个要改的文件的全文，放在写有文件名的那一行之后；不改的文件不必给出。',
}

/** The question: code, and the compiler's or a run's message about it. A wrong operator comes with its task. */
export function requestOf({prompt}: Failure, facts: FailureFacts, {say}: Voice): string {
  const {operator, error, observed, failed} = facts
  const files = formatFiles(failed)
  const last = say(form.en, form.zh)
  if (error)
    return paragraphs([
      say(
        `My Ascend C operator ${operator} does not compile. What is wrong, and how do I fix it?`,
        `我的Ascend C算子${operator}编译不过。错在哪里，怎样改？`,
      ),
      say('The compiler says:', '编译器的输出：'),
      `\`\`\`text\n${error.log}${more(error)}\n\`\`\``,
      say('The code:', '代码：'),
      files,
      last,
    ])
  return paragraphs([
    prompt.trim(),
    say('# An attempt', '# 一次尝试'),
    say(
      'The files below were written for this task. A run of the operator failed.',
      '下面的文件是为这个任务写的。算子运行失败。',
    ),
    files,
    say('What the run showed:', '运行的结果：'),
    `\`\`\`text\n${observed ? evidenceText(observed) : ''}\n\`\`\``,
    say(
      'Analyse the error, then give the corrected code in the form of the reply above.',
      '请分析错误，然后按上面要求的格式给出改正后的代码。',
    ),
    last,
  ])
}

/** The first error is shown as the compiler prints it; of the others what they say, as far as they are few. */
function more({others, errors}: CompileError): string {
  const left = errors - 1 - others.length
  const rest =
    left > 0
      ? [`(${left} more ${left === 1 ? 'error' : 'errors'} after ${others.length > 0 ? 'these' : 'this one'})`]
      : []
  return [
    ...others.map(({file, line, message}) => `\n${file}:${line}: error: ${message}`),
    ...rest.map((text) => `\n${text}`),
  ].join('')
}
