import { expect, it } from 'vitest'
import { isLoopback } from '../../src/emulator/http/loopback.ts'

it.each([
  'localhost',
  'LOCALHOST',
  'shop.localhost',
  '127.0.0.1',
  '127.8.4.2',
  '::1',
  '[::1]',
  '0:0:0:0:0:0:0:1',
  '::ffff:127.0.0.1',
  '[::ffff:7f00:1]',
])('%s leads to this machine alone', host => {
  expect(isLoopback(host)).toBe(true)
})

it.each([
  '',
  'localhost.example.com',
  'notlocalhost',
  '127.0.0.1.example.com',
  '127.example.com',
  '1127.0.0.1',
  '::11',
  '2001:db8::1',
  '[::ffff:8f00:1]',
  '0.0.0.0',
  '192.168.0.1',
])('"%s" may lead to another machine', host => {
  expect(isLoopback(host)).toBe(false)
})
