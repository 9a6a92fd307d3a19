import {connect} from '../../../../pipelines/core/llm/connect.ts'
import {TeacherProfile} from '../../../../pipelines/core/llm/profile.ts'
import {silentLog} from '../../../../pipelines/core/log.ts'

// Run by cache.test.ts, and killed by it: says what was answered as soon as it was.
const [, , baseUrl, cacheFile] = process.argv as [string, string, string, string]
const profile = TeacherProfile.parse({model: 'teacher-model', baseUrl, timeoutSeconds: 5, idleSeconds: 5, maxTokens: 200})
const teachers = connect({teacher: profile}, {cacheFile, env: {}, now: () => Date.now(), random: () => 0.5, log: silentLog})
const model = teachers('teacher')

async function askOn(worker: number): Promise<void> {
  for (let index = 0; ; index += 1) {
    const content = `question ${worker}-${index}`
    await model?.complete({messages: [{role: 'user', content}]})
    process.stdout.write(`${content}\n`)
  }
}

await Promise.all([0, 1, 2, 3, 4, 5, 6, 7].map(askOn))
