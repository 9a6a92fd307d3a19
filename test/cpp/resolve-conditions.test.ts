import {describe, expect, test} from 'vitest'
import {resolveConditions} from '../../cpp/resolve-conditions.ts'

const macros = new Map<string, number | null>([
  ['ONE', 1],
  ['GONE', null],
])
const resolved = (...lines: string[]) => resolveConditions(lines.join('\n'), macros).split('\n')

describe('branches of the preprocessor', () => {
  test.each<[name: string, lines: string[], left: string[]]>([
    ['one that is taken', ['#if ONE == 1', 'a', '#endif', 'b'], ['a', 'b']],
    ['one that is not', ['#if ONE == 2', 'a', '#endif', 'b'], ['b']],
    ['the else', ['#if ONE == 2', 'a', '#else', 'b', '#endif'], ['b']],
    [
      'the first that holds',
      ['#if ONE == 2', 'a', '#elif ONE == 1', 'b', '#elif ONE', 'c', '#else', 'd', '#endif'],
      ['b'],
    ],
    ['what is defined', ['#ifdef ONE', 'a', '#endif', '#ifndef ONE', 'b', '#endif'], ['a']],
    ['what is not', ['#ifdef GONE', 'a', '#endif', '#ifndef GONE', 'b', '#endif'], ['b']],
    ['what nobody knows', ['#ifdef X', 'a', '#else', 'b', '#endif'], ['#ifdef X', 'a', '#else', 'b', '#endif']],
    [
      'an unknown one before a settled one',
      ['#if X', 'a', '#elif ONE', 'b', '#else', 'c', '#endif'],
      ['#if X', 'a', '#else', 'b', '#endif'],
    ],
    [
      'a settled one before unknown ones',
      ['#if !ONE', 'a', '#elif X', 'b', '#elif Y', 'c', '#endif'],
      ['#if X', 'b', '#elif Y', 'c', '#endif'],
    ],
    [
      'one that fails between unknown ones',
      ['#if X', 'a', '#elif !ONE', 'b', '#elif Y', 'c', '#endif'],
      ['#if X', 'a', '#elif Y', 'c', '#endif'],
    ],
    ['one in another', ['#if ONE', '#if ONE == 2', 'a', '#else', 'b', '#endif', '#endif'], ['b']],
    ['one in an unknown one', ['#if X', '#if ONE', 'a', '#endif', '#endif'], ['#if X', 'a', '#endif']],
    ['a condition over two lines', ['#if ONE == 2 || \\', '    ONE == 1', 'a', '#endif'], ['a']],
    ['an unknown one over two lines', ['#if X || \\', '    Y', 'a', '#endif'], ['#if X || \\', '    Y', 'a', '#endif']],
    ['an end with a comment', ['#if X', 'a', '#endif // X'], ['#if X', 'a', '#endif // X']],
    ['a missing end', ['#if X', 'a'], ['#if X', 'a', '#endif']],
    ['other directives', ['#include "a.h"', '#pragma once'], ['#include "a.h"', '#pragma once']],
  ])('%s', (_, lines, left) => expect(resolved(...lines)).toEqual(left))
})

describe('names that the text defines', () => {
  test.each<[name: string, lines: string[], left: string[]]>([
    ['a number', ['#define A 2', '#if A == 2', 'a', '#endif'], ['#define A 2', 'a']],
    ['taken back', ['#define A 2', '#undef A', '#ifdef A', 'a', '#endif'], ['#define A 2', '#undef A']],
    ['another given one', ['#undef ONE', '#if defined(ONE)', 'a', '#endif'], ['#undef ONE']],
    [
      'no number',
      ['#define ONE f(x)', '#if ONE == 1', 'a', '#endif'],
      ['#define ONE f(x)', '#if ONE == 1', 'a', '#endif'],
    ],
    [
      'in a branch that may be taken',
      ['#if X', '#define ONE 2', '#undef GONE', '#endif', '#if ONE == 2', 'a', '#endif', '#ifdef GONE', 'b', '#endif'],
      ['#if X', '#define ONE 2', '#undef GONE', '#endif', '#if ONE == 2', 'a', '#endif', '#ifdef GONE', 'b', '#endif'],
    ],
    [
      'in a branch that is taken',
      ['#if ONE', '#define A 2', '#endif', '#if A == 2', 'a', '#endif'],
      ['#define A 2', 'a'],
    ],
  ])('%s', (_, lines, left) => expect(resolved(...lines)).toEqual(left))
})

describe('include guards', () => {
  test.each<[name: string, lines: string[], left: string[]]>([
    ['go', ['#ifndef A_H', '#define A_H', 'a', '#endif'], ['a']],
    ['go with a line between', ['#ifndef A_H', '', '#define A_H', 'a', '#endif'], ['', 'a']],
    [
      'keep a file from a second time',
      ['#ifndef A_H', '#define A_H', 'a', '#endif', '#ifndef A_H', '#define A_H', 'b', '#endif'],
      ['a'],
    ],
    ['may be asked for', ['#ifndef A_H', '#define A_H', 'a', '#endif', '#ifdef A_H', 'b', '#endif'], ['a', 'b']],
    ['are written as a condition too', ['#if !defined(A_H)', '#define A_H', 'a', '#endif'], ['a']],
    ['are none with a value', ['#ifndef A', '#define A 4', '#endif'], ['#ifndef A', '#define A 4', '#endif']],
    [
      'are none with an else',
      ['#ifndef A', '#define A', '#else', 'b', '#endif'],
      ['#ifndef A', '#define A', '#else', 'b', '#endif'],
    ],
    ['are none of another name', ['#ifndef A', '#define B', '#endif'], ['#ifndef A', '#define B', '#endif']],
    ['are none after a line', ['#ifndef A', 'a', '#define A', '#endif'], ['#ifndef A', 'a', '#define A', '#endif']],
    [
      'are none before another branch',
      ['#ifndef A', '#if X', '#endif', '#endif'],
      ['#ifndef A', '#if X', '#endif', '#endif'],
    ],
  ])('%s', (_, lines, left) => expect(resolved(...lines)).toEqual(left))
})
