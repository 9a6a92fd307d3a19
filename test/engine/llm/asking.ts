import {connect} from '../../../engine/llm/connect.ts'
import {TeacherProfile} from '../../../engine/llm/profile.ts'
import {silentLog} from '../../../engine/log.ts'

// A process of its own, to be killed by the tests: asks so many questions (without a number: on and on), eight at once,
// and says what was answered as soon as it was, and when it waits for another process.
const [baseUrl, cacheFile, account, count = 'Infinity'] = process.argv.slice(2) as [string, string, string, string?]
const limits = {timeoutSeconds: 60, idleSeconds: 60, maxTokens: 200}
const teachers = connect(
  {teacher: TeacherProfile.parse({model: 'teacher-model', baseUrl, ...limits})},
  {
    cacheFile,
    account,
    env: {},
    now: () => Date.now(),
    random: () => 0.5,
    log: {...silentLog, debug},
  },
)
const model = teachers('teacher')
let next = 0

function debug(message: string): void {
  if (message.includes('another process')) process.stdout.write('waiting\n')
}

async function askOn(): Promise<void> {
  while (next < Number(count)) {
    const content = `question ${next}`
    next += 1
    await model?.complete({messages: [{role: 'user', content}]})
    process.stdout.write(`${content}\n`)
  }
}

process.stdout.write('started\n')
await Promise.all(Array.from({length: 8}, askOn))
teachers.close()
