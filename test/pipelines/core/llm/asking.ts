import {connect} from '../../../../pipelines/core/llm/connect.ts'
import {TeacherProfile} from '../../../../pipelines/core/llm/profile.ts'
import {silentLog} from '../../../../pipelines/core/log.ts'

// A process of its own, to be killed by the tests: asks so many questions (without a number: on and on), eight at once,
// and says what was answered as soon as it was.
const [
  , , baseUrl, cacheFile, account, count = 'Infinity',
] = process.argv as [string, string, string, string, string, string?]
const profile = TeacherProfile.parse({
  model: 'teacher-model', baseUrl, timeoutSeconds: 60, idleSeconds: 60, maxTokens: 200,
})
const teachers = connect({
  teacher: profile}, {cacheFile, account, env: {}, now: () => Date.now(), random: () => 0.5, log: silentLog,
})
const model = teachers('teacher')
let next = 0

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
