import {join} from 'node:path'
import {onTestFinished} from 'vitest'
import type {z} from 'zod'
import {connect, type ConnectOptions, type Teachers} from '../../engine/llm/connect.ts'
import type {ChatRequest, LanguageModel} from '../../engine/llm/model.ts'
import {TeacherProfile} from '../../engine/llm/profile.ts'
import {silentLog} from '../../engine/log.ts'
import {startChatServer, type ChatServer, type ChatServerOptions} from './chat-server.ts'
import type {Misbehaviour} from './misbehaviour.ts'
import {jumpingClock} from './clock.ts'
import {temporaryFolder} from './temporary.ts'

export type ProfileFields = Partial<z.input<typeof TeacherProfile>>

/** A server that is gone when the test is over. Misbehaviours given as a list meet the requests in order of arrival. */
export async function chatServer(
  script: readonly (Misbehaviour | undefined)[] | ChatServerOptions['script'] = [],
  options: ChatServerOptions = {},
): Promise<ChatServer> {
  const server = await startChatServer({
    ...options,
    script: typeof script === 'function' ? script : ({index}) => script[index],
  })
  onTestFinished(() => server.close())
  return server
}

export function profileFor(baseUrl: string, fields: ProfileFields = {}): TeacherProfile {
  // Only a hang should meet these limits, on a busy machine too.
  return TeacherProfile.parse({
    model: 'teacher-model',
    baseUrl,
    timeoutSeconds: 60,
    idleSeconds: 60,
    maxTokens: 200,
    ...fields,
  })
}

export interface Connected {
  model: LanguageModel
  teachers: Teachers
  /** Milliseconds of every wait, in order. */
  slept: number[]
  cacheFile: string
}

/** One teacher at a server, on a clock that jumps over waits, with jitter at its middle. */
export async function teacherAt(
  server: {url: string},
  fields: ProfileFields = {},
  options: Partial<ConnectOptions> = {},
): Promise<Connected> {
  const clock = jumpingClock()
  const cacheFile = options.cacheFile ?? join(await temporaryFolder(), 'replies.db')
  const teachers = connect(
    {teacher: profileFor(server.url, fields)},
    {
      cacheFile,
      env: {},
      now: clock.now,
      sleep: clock.sleep,
      random: () => 0.5,
      log: silentLog,
      ...options,
    },
  )
  onTestFinished(() => teachers.close())
  return {model: teachers('teacher') as LanguageModel, teachers, slept: clock.slept, cacheFile}
}

export function ask(content: string, more: Partial<ChatRequest> = {}): ChatRequest {
  return {messages: [{role: 'user', content}], ...more}
}

/** What a promise was rejected with. */
export async function rejection(promise: Promise<unknown>): Promise<Record<string, unknown>> {
  try {
    await promise
  } catch (error) {
    return error as Record<string, unknown>
  }
  throw new Error('it was not rejected')
}
