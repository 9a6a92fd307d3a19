import {amountOf} from './budget.ts'
import type {TeacherProfile} from './profile.ts'

/** Expected tokens if replies are as long as the profile says. `promptTokens`: all requests together. */
export function forecastTokens(
  profile: TeacherProfile,
  {requests, promptTokens}: {requests: number; promptTokens: number},
): {tokens: number; cost: number} {
  return amountOf({promptTokens, completionTokens: requests * profile.expectedCompletionTokens}, profile.price)
}
