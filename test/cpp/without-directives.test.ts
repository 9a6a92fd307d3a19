import {expect, test} from 'vitest'
import {tokenize} from '../../cpp/tokens.ts'
import {withoutDirectives} from '../../cpp/source-view.ts'

/** The tokens that are read of lines with a stroke between them. */
const read = (lines: string) =>
  withoutDirectives(tokenize(lines.replaceAll(' | ', '\n')))
    .map(({text}) => text)
    .join(' ')

test.each([
  ['#if A | a { | #else | b { | #endif | }', 'a { }'],
  ['#ifdef A | } | #elif B | g; | #else | h; | #endif', '}'],
  ['#if A | f; | #else | g { | #endif', 'f ; g {'],
  ['#if A | { } | #else | { | #endif', '{ } {'],
  ['#if A | } else { | #else | a | #endif', '} else { a'],
  ['#if A | { | #endif | }', '{ }'],
  ['  #  if A | { | # else | { { | #endif', '{'],
])('%s is read as %s', (lines, expected) => expect(read(lines)).toBe(expected))

test.each([
  ['#if A | #if B | { | #else | { { | #endif | #else | { { { | #endif', '{'],
  ['#if A | #if B | { } | #endif | #else | { | #endif', '{ } {'],
  ['#if A | f | #if B | { | #endif | } | #else | { { | #endif', 'f { } { {'],
])('what an inner conditional opens counts in the outer one: %s', (lines, expected) =>
  expect(read(lines)).toBe(expected),
)

test.each([
  ['#if A | #define F { | #else | f; | #endif', 'f ;'],
  ['#if A | #define F do { \\ | f(); \\ | } while (0) | #else | g; | #endif', 'g ;'],
  ['#endif | { | #else | }', '{ }'],
  ['#pragma once | {', '{'],
])('directives open no block: %s', (lines, expected) => expect(read(lines)).toBe(expected))
