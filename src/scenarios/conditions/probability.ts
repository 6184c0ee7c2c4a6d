import type { ConditionWord } from './condition.ts'

const schema = {
  type: 'number',
  minimum: 0,
  maximum: 1,
  description: "A chance from 0 to 1, drawn from the world's seed.",
} as const

export const probability = {
  schema,
  read: probability => ({ probability }),
  doubt: ({ probability }) =>
    probability === undefined ? undefined : `with a chance of ${Math.round(probability * 1000) / 10} %`,
} as const satisfies ConditionWord<number>
