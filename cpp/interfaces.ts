import {coreRows, otherNames} from './interfaces/core.ts'
import {highLevelRows} from './interfaces/high-level.ts'
import type {Api} from './interfaces/row.ts'
import {vectorRows} from './interfaces/vector.ts'

/** What runs on the vector unit, high-level APIs included, by name. */
export const vectorApis: ReadonlyMap<string, Api> = new Map([...vectorRows, ...highLevelRows])

/** All interfaces of which something is known, by name. */
export const interfaces: ReadonlyMap<string, Api> = new Map([...vectorApis, ...coreRows])

export const familyOf = (name: string): Api['family'] | undefined => interfaces.get(name)?.family

const ofFamily = (name: Api['family']): ReadonlySet<string> =>
  new Set([...interfaces].flatMap(([one, {family}]) => (family === name ? [one] : [])))

export const movementApis = ofFamily('movement')
export const matrixApis = ofFamily('matrix')
export const synchronisationApis = ofFamily('synchronisation')

/** Calls that wait for other blocks. */
export const meetingApis = [...interfaces].flatMap(([name, {meets}]) => (meets ? [name] : []))

/** Every name of the vendor's interface that a text about a kernel may use although the kernel does not. */
export const knownNames: ReadonlySet<string> = new Set([...interfaces.keys(), ...otherNames])
