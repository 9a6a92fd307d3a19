import {expect, test} from 'vitest'
import {blank, withoutOpenBranches} from '../../../../pipelines/preference/mutations/branches.ts'

/** Lines with a stroke between them; those of a branch that is not read are empty. */
const read = (lines: string) =>
  withoutOpenBranches(lines.replaceAll(' | ', '\n'))
    .split('\n')
    .map((line) => line.trimEnd())
    .join(' | ')

test.each([
  ['#if A | if (x) { | #else | if (y) { | #endif | }', '#if A | if (x) { |  |  | #endif | }'],
  ['#ifdef A | } | #elif B | g(); | #else | h(); | #endif', '#ifdef A | } |  |  |  |  | #endif'],
  ['#if A | f(); | #else | g() { | #endif', '#if A | f(); | #else | g() { | #endif'],
  ['#if A | { } | #else | { | #endif', '#if A | { } | #else | { | #endif'],
  ['#if A | { | #endif | }', '#if A | { | #endif | }'],
  ['  #  if A | { | # else | { { | #endif', '  #  if A | { |  |  | #endif'],
])('%s is read as %s', (lines, expected) => expect(read(lines)).toBe(expected))

test.each([
  ['#if A | #if B | { | #else | { { | #endif | #else | { | #endif', '#if A | #if B | { |  |  | #endif |  |  | #endif'],
  ['#if A | #if B | { } | #endif | #else | { | #endif', '#if A | #if B | { } | #endif | #else | { | #endif'],
  [
    '#if A | f(); | #if B | { | #endif | } | #else | { | #endif',
    '#if A | f(); | #if B | { | #endif | } | #else | { | #endif',
  ],
])('what an inner conditional opens counts in the outer one: %s', (lines, expected) =>
  expect(read(lines)).toBe(expected),
)

test.each([
  '#if A | #define F { | #else | f(); | #endif',
  '#if A | #define F do { \\ | f(); \\ | } while (0) | #else | g(); | #endif',
  '#endif | { | #else | }',
  'f(); \\ | { | #pragma once',
])('directives open no block: %s', (lines) => expect(read(lines)).toBe(lines))

test('a line behind a continued one that is no directive is code', () => {
  expect(read('#if A | f(); \\ | { | #else | { | #endif')).toBe('#if A | f(); \\ | { |  |  | #endif')
})

test('what is blank keeps its lines and columns', () => expect(blank('a {\n\tb\n\n')).toBe('   \n  \n\n'))
