import {describe, expect, test} from 'vitest'
import {circuitBreaker} from '../../../engine/llm/breaker.ts'
import {openPurse, type Bound} from '../../../engine/llm/budget.ts'
import type {Claim} from '../../../engine/llm/cache.ts'
import type {Attempt} from '../../../engine/llm/client.ts'
import type {Fault} from '../../../engine/llm/fault.ts'
import type {ChatReply, Usage} from '../../../engine/llm/model.ts'
import {TeacherProfile} from '../../../engine/llm/profile.ts'
import {rateLimit} from '../../../engine/llm/rate-limit.ts'
import {obtain, type Account, type Gates} from '../../../engine/llm/retry.ts'
import {adaptiveSlots} from '../../../engine/llm/slots.ts'
import {countPromptTokens} from '../../../engine/llm/tokens.ts'
import {jumpingClock} from '../../helpers/clock.ts'

const nothing: Usage = {promptTokens: 0, completionTokens: 0}
const fault = (kind: Fault['kind'], more: Partial<Fault> = {}): Fault => ({
  kind,
  code: 'endpoint-overloaded',
  scope: 'record',
  what: `it was ${kind}`,
  fix: 'Wait.',
  spent: nothing,
  evidence: {},
  ...more,
})
const limited = (retryAfterMs?: number) => fault('rate-limited', retryAfterMs === undefined ? {} : {retryAfterMs})
const reply = (text: string, more: Partial<ChatReply> = {}): ChatReply => ({
  text,
  reasoning: '',
  finishReason: 'stop',
  model: 'm',
  usage: {promptTokens: 10, completionTokens: 20},
  ...more,
})
const request = {messages: [{role: 'user' as const, content: 'hello'}]}

interface Given {
  profile?: Partial<TeacherProfile>
  random?: number
  account?: Partial<Account>
  record?: Partial<Gates['record']>
}

/** One teacher whose endpoint answers what is said, the last for ever; and a log of all that its requests did. */
function teacher(
  answers: (Fault | ChatReply)[],
  {profile: own, random = 0, account: other, record: counts}: Given = {},
) {
  const clock = jumpingClock()
  const profile = TeacherProfile.parse({model: 'm', baseUrl: 'http://127.0.0.1:9/v1', ...own})
  const events: string[] = []
  const bounds: Bound[] = []
  const slots = adaptiveSlots(10, () => clock.now())
  const rate = rateLimit({}, clock)
  const purse = openPurse({})
  const spent = ({promptTokens, completionTokens}: Usage) => `${promptTokens}+${completionTokens}`
  const about = (estimated: boolean) => (estimated ? ' estimated' : '')
  function noted<T>(event: string, result: T): T {
    events.push(event)
    return result
  }
  let index = 0
  const gates: Gates = {
    profile,
    clock,
    slots,
    random: () => random,
    log: (message) => events.push(message),
    record: {replies: 0, refusals: 0, limited: 0, turnedAway: 0, ...counts},
    breaker: circuitBreaker({url: 'there', outageSeconds: profile.outageSeconds, clock, log: () => {}}),
    client: {
      attempt: () => {
        const answer = answers[Math.min(index, answers.length - 1)] as Fault | ChatReply
        index += 1
        const attempt: Attempt =
          'kind' in answer
            ? {outcome: 'failed', fault: answer}
            : {outcome: 'replied', reply: answer, estimated: answer.finishReason === 'length', trimmed: false}
        return Promise.resolve(attempt)
      },
    },
    rate: {
      admit: (tokens, signal) => noted(`admit ${tokens}`, rate.admit(tokens, signal)),
      correct: (tokens) => noted(`correct ${tokens}`, rate.correct(tokens)),
      coolDown: (milliseconds) => noted(`cool down ${milliseconds}`, rate.coolDown(milliseconds)),
    },
    purse: {
      async reserve(bound, price, signal) {
        bounds.push(bound)
        const held = await purse.reserve(bound, price, signal)
        return {...held, settle: (usage) => noted(`settle ${spent(usage)}`, held.settle(usage))}
      },
    },
  }
  const account: Account = {
    known: () => undefined,
    askedElsewhere: () => false,
    claim: (most) => noted(`claim ${spent(most)}`, 'ours'),
    sent: ({again}) => events.push(again ? 'sent again' : 'sent'),
    failed: () => undefined,
    keep: ({text}, {estimated}) => events.push(`keep ${text}${about(estimated)}`),
    charge: (usage, {estimated}) => events.push(`charge ${spent(usage)}${about(estimated)}`),
    waive: () => events.push('waive'),
    release: () => events.push('release'),
    ...other,
  }
  const asked = async () => {
    try {
      return (await obtain(request, gates, account)).text
    } catch (error) {
      const {code, scope, message} = error as {code: string; scope: string; message: string}
      return {code, scope, message}
    }
  }
  return {asked, events, bounds, clock, gates, slots, attempts: () => index}
}

/** As many attempts as were made until it ended, and how. */
async function ending(answers: (Fault | ChatReply)[], given?: Given) {
  const {asked, attempts, clock} = teacher(answers, given)
  const end = await asked()
  return {attempts: attempts(), slept: clock.slept, end}
}

describe('how often a request is sent', () => {
  test.each([
    ['cut', 1, 1],
    ['cut', 6, 6],
    ['invalid', 3, 3],
    ['stalled', 4, 4],
    ['overloaded', 4, 4],
    ['unreachable', 2, 2],
    ['foreign', 1, 1],
    ['foreign', 2, 2],
    ['foreign', 6, 2],
    ['filtered', 6, 1],
    ['rejected', 6, 1],
  ] as const)('%s, with up to %i attempts: %i', async (kind, maxAttempts, attempts) => {
    const {end, ...rest} = await ending([fault(kind)], {profile: {maxAttempts}})
    expect(rest.attempts).toBe(attempts)
    const tries = attempts > 1 ? ` after ${attempts} attempts` : ''
    expect(end).toMatchObject({scope: 'record', message: `m at http://127.0.0.1:9/v1: it was ${kind}${tries}.`})
  })

  test('what fails while the endpoint counts as down is not held against the request', async () => {
    const profile = {maxAttempts: 5}
    expect(await ending([...Array<Fault>(6).fill(fault('overloaded')), reply('r')], {profile})).toMatchObject({
      attempts: 7,
      end: 'r',
    })
    expect((await ending([fault('overloaded')], {profile})).end).toMatchObject({
      code: 'endpoint-unreachable',
      scope: 'run',
    })
  })

  test('429 is not counted, however often', async () => {
    const answers = [...Array<Fault>(12).fill(limited(10)), reply('r')]
    expect(await ending(answers, {profile: {maxAttempts: 1}})).toMatchObject({attempts: 13, end: 'r'})
  })
})

describe('how long it waits in between', () => {
  const cut = fault('cut')
  test('up to 1, 2, 4 … 60 s, and as much more as the endpoint says', async () => {
    const profile = {maxAttempts: 9}
    const doubled = [1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]
    expect((await ending([cut], {profile, random: 1})).slept).toEqual(doubled)
    expect((await ending([cut], {profile, random: 0.5})).slept).toEqual(doubled.map((most) => most / 2))
    expect((await ending([cut], {profile})).slept).toEqual(Array(8).fill(0))
    const told = {...cut, retryAfterMs: 700}
    expect((await ending([told], {profile: {maxAttempts: 3}, random: 1})).slept).toEqual([1700, 2700])
  })

  test('after 429: at least 1, 2, 4 … 60 s, and up to a quarter more, at most a second', async () => {
    const answers = [...Array<Fault>(8).fill(limited()), reply('r')]
    const pauses = async (random: number) => {
      const {asked, events} = teacher(answers, {random})
      expect(await asked()).toBe('r')
      return events.flatMap((event) => /retrying in (.*) s/.exec(event)?.[1] ?? [])
    }
    expect(await pauses(0)).toEqual(['1.0', '2.0', '4.0', '8.0', '16.0', '32.0', '60.0', '60.0'])
    expect(await pauses(1)).toEqual(['1.3', '2.5', '5.0', '9.0', '17.0', '33.0', '61.0', '61.0'])
  })

  test('an empty reply is waited for like a failure, and says so', async () => {
    const {asked, events, clock} = teacher([reply(''), reply('r')], {random: 1})
    expect(await asked()).toBe('r')
    expect(clock.slept).toEqual([1000])
    expect(events).toContain('m: the reply was empty; retrying in 1.0 s')
  })
})

describe('429 to all requests', () => {
  test('the third in a row takes slots away and holds all requests back', async () => {
    const {asked, events, slots} = teacher([limited(10), limited(20), limited(30), limited(2000), reply('r')])
    expect(await asked()).toBe('r')
    expect(events.filter((event) => event.startsWith('cool'))).toEqual(['cool down 30', 'cool down 2000'])
    expect(slots.count()).toBe(7)
  })

  test('a reply in between starts the count anew', async () => {
    const {asked, events, gates} = teacher([limited(10), limited(10), reply('r'), limited(10), limited(10), reply('s')])
    expect([await asked(), await asked()]).toEqual(['r', 's'])
    expect(events.filter((event) => event.startsWith('cool'))).toEqual([])
    expect(gates.record).toEqual({replies: 2, refusals: 0, limited: 0, turnedAway: 0})
  })

  test.each([
    [600_000, ['cool down 600000']],
    [600_001, []],
  ])('a wait of %i ms with 600 s of patience left', async (wait, cooled) => {
    const given = {profile: {patienceSeconds: 600}, record: {limited: 2}}
    const {asked, events} = teacher([limited(wait), reply('r')], given)
    const end = await asked()
    expect(events.filter((event) => event.startsWith('cool'))).toEqual(cooled)
    expect(end).toEqual(
      cooled.length > 0
        ? 'r'
        : {
            code: 'endpoint-overloaded',
            scope: 'record',
            message:
              'm at http://127.0.0.1:9/v1: it was rate-limited; the next attempt would be in 600 s, ' +
              'which exceeds patienceSeconds (600).',
          },
    )
  })
})

describe('when the run ends with the request', () => {
  const scopeOf = async (answers: (Fault | ChatReply)[], given: Given) => {
    const {end} = await ending(answers, {...given, profile: {patienceSeconds: 600}})
    return typeof end === 'string' ? 'answered' : end.scope
  }

  test.each([
    [0, 8, 'record'],
    [0, 9, 'run'],
    [1, 9, 'record'],
    [1, 50, 'record'],
  ])('%i replies and %i refusals before this one: %s', async (replies, refusals, scope) => {
    expect(await scopeOf([fault('rejected')], {record: {replies, refusals}})).toBe(scope)
  })

  test('it says how many were refused', async () => {
    const {end} = await ending([fault('rejected')], {record: {refusals: 9}})
    expect(end).toMatchObject({
      message: 'm at http://127.0.0.1:9/v1: it was rejected (all 10 requests so far were refused).',
    })
  })

  test.each([
    [0, 8, 'record'],
    [0, 9, 'run'],
    [1, 9, 'record'],
    [1, 18, 'record'],
    [1, 19, 'run'],
  ])('%i replies and %i turned away before this one: %s', async (replies, turnedAway, scope) => {
    expect(await scopeOf([limited(900_000)], {record: {replies, turnedAway}})).toBe(scope)
  })

  test.each([
    [299_999, 'record'],
    [300_000, 'record'],
    [300_001, 'run'],
  ])('%i ms of 600 s were waited, and nobody was answered: %s', async (waited, scope) => {
    expect(await scopeOf([limited(waited), limited(900_000)], {})).toBe(scope)
  })

  test('others were answered meanwhile', async () => {
    const {asked, gates, clock} = teacher([limited(400_000), limited(900_000)], {profile: {patienceSeconds: 600}})
    const sleep = clock.sleep.bind(clock)
    clock.sleep = async (milliseconds) => {
      gates.record.replies += 1
      await sleep(milliseconds)
    }
    expect(await asked()).toMatchObject({scope: 'record'})
  })

  test('another fault that asks for too long a wait fails its record alone', async () => {
    const {end} = await ending([fault('cut', {retryAfterMs: 3_600_001})], {record: {turnedAway: 30}})
    expect(end).toMatchObject({scope: 'record', message: expect.stringContaining('in 3600 s, which exceeds') as string})
    expect((await ending([fault('cut', {retryAfterMs: 3_600_000}), reply('r')])).end).toBe('r')
  })
})

describe('what is booked', () => {
  // The prompt: 5 bytes, 8 tokens for its message and 8 for the template; a quarter of that is the rough count.
  const start = ['admit 4102', 'claim 21+16384', 'sent']
  const usage = {promptTokens: 7, completionTokens: 3}

  test.each([
    [reply('r'), ['settle 10+20', 'correct -4072', 'keep r', 'release']],
    [reply('r', {finishReason: 'length'}), ['settle 10+20', 'correct -4072', 'keep r estimated', 'release']],
    [reply('', {reasoning: 'so'}), ['settle 10+20', 'correct -4072', 'keep ', 'release']],
    [fault('rejected'), ['settle 0+0', 'correct -4102', 'waive', 'release']],
    [fault('filtered', {spent: usage}), ['settle 7+3', 'correct -4092', 'charge 7+3 estimated', 'release']],
    [fault('filtered', {spent: usage, told: true}), ['settle 7+3', 'correct -4092', 'charge 7+3', 'release']],
  ])('after one attempt: %j', async (answer, booked) => {
    const {asked, events} = teacher([answer])
    await asked()
    expect(events).toEqual([...start, ...booked])
  })

  test('an empty reply is charged unless it is the last', async () => {
    const {asked, events} = teacher([reply('')], {profile: {maxAttempts: 2}})
    expect(await asked()).toBe('')
    const attempt = ['settle 10+20', 'correct -4072']
    const pause = 'm: the reply was empty; retrying in 0.0 s'
    const again = ['admit 4102', 'claim 21+16384', 'sent again']
    expect(events).toEqual([...start, ...attempt, 'charge 10+20', pause, ...again, ...attempt, 'keep ', 'release'])
  })

  test('the bound is what a tokenizer makes of it and a quarter, never more than the bytes', async () => {
    const {asked, bounds} = teacher([reply('r')])
    await asked()
    const close = Math.min(21, Math.ceil(countPromptTokens(request.messages) * 1.25))
    expect(bounds[0]?.quick).toEqual({promptTokens: 21, completionTokens: 16_384})
    expect(await bounds[0]?.close()).toEqual({promptTokens: close, completionTokens: 16_384})
  })

  test('a reply that is known already is returned and not paid for', async () => {
    const {asked, events} = teacher([reply('r')], {account: {known: () => reply('known')}})
    expect(await asked()).toBe('known')
    expect(events).toEqual(['admit 4102', 'correct -4102', 'release'])
  })

  test('what another process claimed is waited for, a quarter of a second at a time', async () => {
    let looks = 0
    const account: Partial<Account> = {
      askedElsewhere: () => ++looks < 4,
      known: () => (looks < 4 ? undefined : reply('theirs')),
    }
    const {asked, events, clock} = teacher([reply('r')], {account})
    expect(await asked()).toBe('theirs')
    expect(clock.slept).toEqual([250, 250])
    expect(events).toEqual(['m: another process is sending the same request; waiting for its reply', 'release'])
  })

  test('a request that another one claims first is asked for again', async () => {
    const claims: Claim[] = ['asked-elsewhere', 'ours']
    const {asked, events, attempts} = teacher([reply('r')], {account: {claim: () => claims.shift() as Claim}})
    expect([await asked(), attempts()]).toEqual(['r', 1])
    const lost = ['admit 4102', 'settle 0+0', 'correct -4102']
    expect(events).toEqual([...lost, 'admit 4102', 'sent', 'settle 10+20', 'correct -4072', 'keep r', 'release'])
  })
})
