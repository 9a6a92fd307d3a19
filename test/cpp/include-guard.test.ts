import {expect, test} from 'vitest'
import {guardLines} from '../../cpp/include-guard.ts'

test.each<[string, {open: number; close: number} | undefined]>([
  ['#ifndef A_H\n#define A_H\nint a;\n#endif', {open: 0, close: 3}],
  ['\n# ifndef A_H\n\n# define A_H 1\n#endif // A_H\n \n', {open: 1, close: 4}],
  ['#pragma once\n#ifndef A_H\n#define A_H\n#endif', {open: 1, close: 3}],
  ['#if !defined(A_H)\n#define A_H\n#endif', {open: 0, close: 2}],
  ['#if ! defined A_H\n#define A_H\n#endif', {open: 0, close: 2}],
  ['#ifndef A_H\n#define A_H\n#ifdef B\n#endif\n#if C\n#endif\n#endif', {open: 0, close: 6}],
  ['#ifndef A_H\n#define A_H\n#endif\nint a;', undefined],
  ['#ifndef A_H\n#define A_HH\n#endif', undefined],
  ['#ifndef A_H\n#define B_H\n#endif', undefined],
  ['#ifndef A_H\nint a;\n#define A_H\n#endif', undefined],
  ['int a;\n#ifndef A_H\n#define A_H\n#endif', undefined],
  ['#ifdef A_H\n#define A_H\n#endif', undefined],
  ['#ifndef A_H\n#define A_H\nint a;', undefined],
  ['#ifndef A_H\n#define A_H\n#ifdef B\n#endif', undefined],
  ['#ifndef A_H', undefined],
  ['', undefined],
])('%j', (text, guard) => {
  expect(guardLines(text.split('\n'))).toEqual(guard)
})
