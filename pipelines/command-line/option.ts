import {InvalidArgumentError} from 'commander'

/** A flag of a command, named after its key: `startAnyway` is `--start-anyway`. */
export interface Option<T> {
  /** `<folder>`, or `[records]` if its value is optional; undefined for a boolean flag. */
  takes?: string
  help: string
  /** Parses the text, given the value of earlier flags with this name. @throws InvalidArgumentError */
  parse?(text: string, before: T): T
  /** The default value. */
  initial?: T
  mandatory?: true
}

/** A key as a flag is written: `start-anyway` of `startAnyway`. */
export const dashed = (key: string) => key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

// biome-ignore lint/suspicious/noExplicitAny: options of any kind; each command knows the types of its own.
export type Options = Readonly<Record<string, Option<any>>>

type Value<O> = O extends Option<infer T> ? T : never

/** What a command line gives for options: a key is absent without a flag or a default value. */
export type Values<O extends Options> = {
  [K in keyof O as undefined extends Value<O[K]> ? never : K]: Value<O[K]>
} & {
  [K in keyof O as undefined extends Value<O[K]> ? K : never]?: Exclude<Value<O[K]>, undefined>
}

type Parse<T> = (given: string) => T

/** Options of one kind, with or without a default value. */
interface Kind<T> {
  (takes: string, help: string): Option<T | undefined>
  (takes: string, help: string, initial: T): Option<T>
}

function kind<T>(parse: Parse<T>): Kind<T> {
  return (takes: string, help: string, initial?: T) => ({takes, help, parse, initial}) as Option<T>
}

export function flag(help: string): Option<boolean> {
  return {help, initial: false}
}

export function required<T>(option: Option<T | undefined>): Option<T> {
  return {...option, mandatory: true} as Option<T>
}

/** One whose value is optional: without it, `true`. */
export function alone<T>(option: Option<T | undefined>): Option<T | true | undefined> {
  return option as Option<T | true | undefined>
}

/** Folders, from a repeatable flag. */
export function folders(help: string): Option<string[]> {
  return {takes: '<folder>', help, initial: [], parse: (given, before) => [...before, isNamed(given)]}
}

/** Keys with values, from a repeatable flag. */
export function settings(help: string): Option<Record<string, string>> {
  return {takes: '<key=value>', help, initial: {}, parse: keyValue}
}

const isNamed = matching(/\S/, 'Expected a name, got an empty text.')

export const text = kind((given) => given)
export const named = kind(isNamed)
export const licenceName = kind(matching(/^[A-Za-z0-9][\w.+-]*$/, 'Expected a name such as Apache-2.0.'))
export const visible = kind(matching(/^[\x21-\x7e][\x20-\x7e]{0,199}$/, 'Expected one line of ASCII.'))
export const count = kind(numeric(/^[1-9]\d{0,8}$/, () => true, 'Expected a whole number above 0.'))
export const share = kind(numeric(/^\d{1,9}$/, () => true, 'Expected a whole number, 0 or more.'))
export const positive = kind(numeric(/^/, (number) => number > 0, 'Expected a number above 0.'))
export const port = kind(numeric(/^\d{1,5}$/, (number) => number <= 65_535, 'Expected a port, 0 to 65535.'))
export const seconds = kind(numeric(/\S/, (number) => number >= 0 && number <= 86_400, 'Expected seconds, 0 or more.'))

function matching(form: RegExp, expected: string): Parse<string> {
  return (given) => {
    if (!form.test(given)) throw new InvalidArgumentError(expected)
    return given
  }
}

function numeric(form: RegExp, fits: (number: number) => boolean, expected: string): Parse<number> {
  return (given) => {
    if (!form.test(given) || !fits(Number(given))) throw new InvalidArgumentError(expected)
    return Number(given)
  }
}

function keyValue(given: string, before: Readonly<Record<string, string>>): Record<string, string> {
  const at = given.indexOf('=')
  if (at <= 0) throw new InvalidArgumentError('Expected key=value, e.g. budget.tokens=200000.')
  return {...before, [given.slice(0, at)]: given.slice(at + 1)}
}
