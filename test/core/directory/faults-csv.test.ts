/** The rules of CSV alone: the header, the columns, accounts over several rows. */
import { describe, expect, it } from 'vitest'
import { check, csv, failure, json, PHONE } from './failure.ts'

const HEADER = 'customerAccountNumber,customerName,totalDues,lineKind,lineNumber,lineActive,pointsBalance'

describe('CSV faults', () => {
  it.each<[id: string, text: string, faults: (string | RegExp)[]]>([
    ['DIR-40 nothing at all', '', ['The file is empty; its first line must be the header']],
    [
      'DIR-41 an unknown column',
      `${HEADER},lineNubmer\n`,
      [/^line 1: unknown column "lineNubmer"; known are customer/],
    ],
    ['DIR-42 a column twice', `${HEADER},lineKind\n`, ['line 1: column lineKind stands there twice']],
    ['DIR-43 no header', '1,Name\n', [/"1"/, /"Name"/, /customerAccountNumber is missing/]],
    ...[
      [';', 'semicolons'],
      ['\t', 'tabs'],
      ['|', 'vertical bars'],
    ].map(([sign, name]): [string, string, (string | RegExp)[]] => [
      `DIR-52 ${name} for commas`,
      `${HEADER}\n1,A,,,,,\n`.replaceAll(',', sign!),
      [new RegExp(`^line 1: the columns are separated by ${name}; separate them by commas`)],
    ]),
    ['DIR-44 a column too few', `${HEADER}\n1,A\n`, ['line 2 must have 7 columns, as the header has, not 2']],
    ['DIR-45 a bad quote', `${HEADER}\n1,"A" B,,,,,\n`, [/^line 2: Invalid Closing Quote/]],
    ['DIR-46 no account number', `${HEADER}\n,A,,,,,\n`, ['line 2, customerAccountNumber is required']],
    ['DIR-47 a bad number', `${HEADER}\n\n1,A,,phone,12,,\n`, [`line 3, lineNumber ${PHONE}`]],
    ['DIR-48 a line without a kind', `${HEADER}\n1,A,,,91000001,,\n`, ['line 2, lineKind is required']],
    [
      'DIR-49 neither active nor not',
      `${HEADER}\n1,A,,phone,91000001,y,\n`,
      ['line 2, lineActive must be true or false'],
    ],
    [
      'DIR-50 an account that contradicts itself',
      `${HEADER}\n1,A,5,phone,91000001,,\n1,B,5,phone,91000002,,\n`,
      ['line 3, customerName differs from that of the same account at line 2'],
    ],
    [
      'DIR-51 a line twice',
      `${HEADER}\n1,A,,phone,91000001,,\n2,B,,phone,96891000001,,\n`,
      ['line 3, lineNumber is the same phone as line 2, lineNumber'],
    ],
  ])('%s', async (_, text, faults) => {
    const expected = faults.map(fault => (typeof fault === 'string' ? fault : expect.stringMatching(fault)))
    expect((await failure(csv(text))).issues).toEqual(expected)
  })
})

const rowsOf = (batches: Awaited<ReturnType<typeof check>>) =>
  batches.flatMap(({ accounts, lines, balances }) =>
    [accounts, lines, balances].map(text => JSON.parse(text)),
  )

describe('CSV and JSON of the same directory are the same', () => {
  const file = {
    accounts: [
      {
        customerAccountNumber: '1',
        customerName: 'Ali, "the first"',
        totalDues: 5.5,
        lines: [
          { kind: 'phone', number: '+96891000001', active: false, pointsBalance: 10 },
          { kind: 'internetAccount', number: 'ali@fiber' },
        ],
      },
      { customerAccountNumber: '2', lines: [] },
    ],
  }
  const [first, second, third] = [
    '1,"Ali, ""the first""",5.5,phone,91000001,FALSE,10',
    '1,,,internetAccount,ali@fiber,,',
    '2,,,,,,',
  ]

  it.each<[id: string, text: string]>([
    ['DIR-60 account fields on the first row only', [HEADER, first, second, third].join('\n')],
    [
      'DIR-61 account fields repeated',
      [HEADER, first, second!.replace('1,,', '1,"Ali, ""the first""",'), third].join('\n'),
    ],
    [
      'DIR-62 a byte order mark, CRLF, blanks and empty rows',
      `\uFEFF${[HEADER, first, ' 1 ,,, internetAccount , ali@fiber ,,', ',,,,,,', third].join('\r\n')}\r\n`,
    ],
    ['DIR-63 rows of one account apart', [HEADER, first, third, second].join('\n')],
  ])('%s', async (_, text) => {
    expect(rowsOf(await check(csv(text)))).toEqual(rowsOf(await check(json(file))))
  })

  it('DIR-64 no accounts are no fault', async () => {
    expect(await check(json('\uFEFF{"accounts":[]}'))).toEqual([])
    expect(await check(csv(HEADER))).toEqual([])
  })
})
