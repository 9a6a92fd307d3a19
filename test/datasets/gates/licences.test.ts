import {expect, test} from 'vitest'
import {covers, isAllowed, strictestLicence} from '../../../datasets/gates/licences.ts'

test.each([
  ['Apache-2.0', ['Apache-2.0'], true],
  ['apache-2.0', ['Apache-2.0'], true],
  ['MIT', ['Apache-2.0'], false],
  ['MIT OR GPL-3.0-only', ['MIT'], true],
  ['MIT AND GPL-3.0-only', ['MIT'], false],
  ['MIT AND Apache-2.0', ['MIT', 'Apache-2.0'], true],
  ['(MIT OR GPL-3.0-only) AND BSD-3-Clause', ['MIT', 'BSD-3-Clause'], false],
  ['GPL-2.0-only WITH Classpath-exception-2.0', ['GPL-2.0-only'], false],
  ['GPL-2.0-only WITH Classpath-exception-2.0', ['GPL-2.0-only WITH Classpath-exception-2.0'], true],
  ['CC-BY-4.0', ['permissive'], true],
  ['LicenseRef-CANN-OSL-2.0', ['permissive'], false],
  ['LicenseRef-CANN-OSL-2.0', ['permissive', 'LicenseRef-CANN-OSL-2.0'], true],
  ['NOASSERTION', ['permissive'], false],
])('%s meets %j: %s', (expression, allowed, expected) => {
  expect(isAllowed(expression, allowed)).toBe(expected)
})

test('a licence covers those that ask for less', () => {
  expect(covers('LicenseRef-CANN-OSL-2.0', 'Apache-2.0')).toBe(true)
  expect(covers('Apache-2.0', 'LicenseRef-CANN-OSL-2.0')).toBe(false)
  expect(covers('Apache-2.0', 'MIT AND BSD-3-Clause')).toBe(true)
  expect(covers('Apache-2.0', 'MIT AND GPL-2.0-only')).toBe(false)
  expect(covers('GPL-2.0-only', 'GPL-2.0-only')).toBe(true)
})

test('parts are under the strictest of their licences', () => {
  expect(strictestLicence(['MIT', 'Apache-2.0'])).toBe('Apache-2.0')
  expect(strictestLicence(['MIT', 'GPL-3.0-only'])).toBe('NOASSERTION')
  expect(strictestLicence(['GPL-3.0-only', 'GPL-3.0-only'])).toBe('GPL-3.0-only')
})
