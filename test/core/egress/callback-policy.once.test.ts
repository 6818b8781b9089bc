/** The callback policy, to which addresses webhooks may go: what is refused when posted. */
import { describe, expect, it } from 'vitest'
import { ConfigError, readConfig } from '#core/config/config.ts'
import { callbackOf, isRefused as isRefusedAt, readAllowList } from '#core/egress/callback-policy.ts'
import { check, NOTHING } from './policy-check.ts'

const isRefused = (ip: string, allow = NOTHING) => isRefusedAt(ip, 443, allow)

/** One inside each range of docs/decisions.md, at its beginning and its end, by the name of the range. */
const REFUSED: [string, string, string][] = [
  ['0.0.0.0/8', '0.0.0.0', '0.255.255.255'],
  ['10.0.0.0/8', '10.0.0.0', '10.255.255.255'],
  ['100.64.0.0/10', '100.64.0.0', '100.127.255.255'],
  ['127.0.0.0/8', '127.0.0.1', '127.255.255.255'],
  ['169.254.0.0/16', '169.254.0.0', '169.254.169.254'],
  ['172.16.0.0/12', '172.16.0.0', '172.31.255.255'],
  ['192.0.0.0/24', '192.0.0.0', '192.0.0.255'],
  ['192.0.2.0/24', '192.0.2.0', '192.0.2.255'],
  ['192.88.99.0/24', '192.88.99.0', '192.88.99.255'],
  ['192.168.0.0/16', '192.168.0.0', '192.168.255.255'],
  ['198.18.0.0/15', '198.18.0.0', '198.19.255.255'],
  ['198.51.100.0/24', '198.51.100.0', '198.51.100.255'],
  ['203.0.113.0/24', '203.0.113.0', '203.0.113.255'],
  ['224.0.0.0/4', '224.0.0.0', '239.255.255.255'],
  ['240.0.0.0/4', '240.0.0.0', '255.255.255.255'],
  ['::, ::1', '::', '::1'],
  ['::/96', '::7f00:1', '::8.8.8.8'],
  ['::ffff:0:0/96 by the inner address', '::ffff:127.0.0.1', '::ffff:a9fe:a9fe'],
  ['64:ff9b::/96', '64:ff9b::7f00:1', '64:ff9b::8.8.8.8'],
  ['64:ff9b:1::/48', '64:ff9b:1::', '64:ff9b:1:ffff:ffff:ffff:ffff:ffff'],
  ['::ffff:0:0:0/96', '::ffff:0:127.0.0.1', '::ffff:0:8.8.8.8'],
  ['100::/64', '100::', '100::ffff:ffff:ffff:ffff'],
  ['2001::/23', '2001::1', '2001:1ff:ffff::'],
  ['2001:db8::/32', '2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2002::/16', '2002:7f00:1::', '2002:ffff:ffff::'],
  ['3fff::/20', '3fff::', '3fff:fff:ffff::'],
  ['5f00::/16', '5f00::', '5f00:ffff::'],
  ['fc00::/7', 'fc00::', 'fdff:ffff::'],
  ['fe80::/10', 'fe80::1', 'febf:ffff::'],
  ['fec0::/10', 'fec0::1', 'feff:ffff::'],
  ['ff00::/8', 'ff00::', 'ff02::1'],
]

const PUBLIC = [
  '1.0.0.1',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '192.0.1.0',
  '198.17.255.255',
  '198.20.0.0',
  '223.255.255.255',
  '::ffff:8.8.8.8',
  '2001:200::1',
  '2001:4860:4860::8888',
  '2606:4700::1111',
  '2a00:1450::1',
]

const bracketed = (ip: string) => (ip.includes(':') ? `[${ip}]` : ip)

const NOT_PUBLIC = 'must be an address of the public internet'

describe('addresses', () => {
  it.each(REFUSED)('HOOK-50 %s is refused, when posted and when connecting', (_, first, last) => {
    for (const ip of [first, last]) {
      expect([ip, isRefused(ip, NOTHING)]).toEqual([ip, true])
      expect([ip, check(`https://${bracketed(ip)}/hooks`)]).toEqual([ip, NOT_PUBLIC])
    }
  })

  it.each(PUBLIC)('HOOK-51 %s is public', ip => {
    expect(isRefused(ip, NOTHING)).toBe(false)
    expect(check(`https://${bracketed(ip)}:8443/hooks`)).toBe('accepted')
  })

  it.each([
    ['decimal', 'https://2130706433/', NOT_PUBLIC],
    ['hexadecimal', 'https://0x7f000001/', NOT_PUBLIC],
    ['octal', 'https://0177.0.0.01/', NOT_PUBLIC],
    ['parts left out', 'https://127.1/', NOT_PUBLIC],
    ['a trailing dot', 'https://127.0.0.1./', NOT_PUBLIC],
    ['full-width digits', 'https://１２７.0.0.1/', NOT_PUBLIC],
    ['percent-encoded', 'https://%31%32%37.0.0.1/', NOT_PUBLIC],
    ['localhost', 'https://localhost/', NOT_PUBLIC],
    ['localhost with a dot', 'https://LOCALHOST./', NOT_PUBLIC],
    ['a name under localhost', 'https://a.localhost/', NOT_PUBLIC],
    ['the metadata service by name', 'https://metadata.google.internal/', NOT_PUBLIC],
    ['mDNS', 'https://printer.local/', NOT_PUBLIC],
    ['credentials', 'https://user:pw@hooks.example.com/', 'must not contain credentials'],
    ['a user alone', 'https://user@hooks.example.com/', 'must not contain credentials'],
    ['http', 'http://hooks.example.com/', 'must be an https address'],
    ['another scheme', 'file:///etc/passwd', 'must be an https address'],
    ['gopher', 'gopher://hooks.example.com/', 'must be an https address'],
    ['no address', 'hooks.example.com', 'must be an absolute https address'],
    ['empty', '', 'must be an absolute https address'],
    ['too long', `https://hooks.example.com/${'a'.repeat(2_048)}`, 'must not be longer than 2048 characters'],
    ['a public name', 'https://hooks.example.com/a', 'accepted'],
    ['a public name with a port', 'https://hooks.example.com:8443', 'accepted'],
  ])('HOOK-52 posted with %s', (_, address, outcome) => {
    expect(check(address)).toBe(outcome)
  })

  it.each([
    ['http to an opened address', ['127.0.0.1'], 'http://127.0.0.1:9000/', 'accepted'],
    ['http to another', ['127.0.0.1'], 'http://127.0.0.2:9000/', 'must be an https address'],
    ['a range', ['10.0.0.0/8'], 'http://10.1.2.3/', 'accepted'],
    ['a range of version 6', ['fd00::/8'], 'http://[fd12::1]/', 'accepted'],
    ['a name', ['hooks.test'], 'http://HOOKS.test./', 'accepted'],
    ['a name under it', ['hooks.test'], 'http://a.hooks.test/', 'must be an https address'],
    ['localhost by name', ['localhost'], 'http://localhost:9000/', 'accepted'],
    ['one port', ['127.0.0.1:9000'], 'http://127.0.0.1:9000/', 'accepted'],
    ['no other port', ['127.0.0.1:9000'], 'http://127.0.0.1:9001/', 'must be an https address'],
    ['no other port for https', ['127.0.0.1:9000'], 'https://127.0.0.1:9001/', NOT_PUBLIC],
    ['the port of the scheme', ['hooks.test:80'], 'http://hooks.test/', 'accepted'],
    ['one port of a name', ['hooks.test:8443'], 'http://hooks.test:8443/', 'accepted'],
    ['one port of version 6', ['[::1]:9000'], 'http://[::1]:9000/', 'accepted'],
    ['version 6 in brackets', ['[::1]'], 'http://[::1]:9000/', 'accepted'],
    ['one port of a range', ['10.0.0.0/8:443'], 'https://10.1.2.3/', 'accepted'],
    ['one port of a range of version 6', ['[fd00::]/8:443'], 'https://[fd12::1]/', 'accepted'],
    [
      'no database where no port is named',
      ['127.0.0.1'],
      'http://127.0.0.1:5432/',
      'must be an https address',
    ],
    ['no cache by name', ['hooks.test'], 'http://hooks.test:6379/', 'must be an https address'],
    ['a database that is named', ['127.0.0.1:5432'], 'http://127.0.0.1:5432/', 'accepted'],
    ['credentials all the same', ['127.0.0.1'], 'http://a:b@127.0.0.1/', 'must not contain credentials'],
  ])('HOOK-53 WEBHOOK_ALLOW opens %s', (_, entries, address, outcome) => {
    expect(check(address, readAllowList(entries))).toBe(outcome)
  })

  it('HOOK-54 a bad WEBHOOK_ALLOW stops the start', () => {
    for (const WEBHOOK_ALLOW of [
      'http://127.0.0.1',
      '10.0.0.0/33',
      'a b',
      '999.1.1.1',
      'a:0',
      'a:65536',
      'a:',
      'a:x',
      '1.2.3.4:5:6',
      '[::1]:',
      '::1]:9',
    ])
      expect(() => readConfig({ WEBHOOK_ALLOW })).toThrow(ConfigError)
  })

  it.each([
    ['https://a.example', 'https://a.example/eventNotifications'],
    ['https://a.example/x//', 'https://a.example/x/eventNotifications'],
    ['https://a.example/x?y=1#z', 'https://a.example/x/eventNotifications?y=1'],
  ])('HOOK-55 events for %s go to %s', (base, callback) => {
    expect(callbackOf(base).href).toBe(callback)
  })
})
