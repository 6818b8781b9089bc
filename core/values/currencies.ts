/** Currencies of ISO 4217 in which a client can pay, with their minor units. */

/**
 * The edition of the list: "list one" of 2024-06-25, with the changes since that take effect until 2026-01-01. XCG
 * replaced ANG on 2025-03-31, and EUR replaced BGN on 2026-01-01.
 */
export const ISO_4217_EDITION = '2026-01-01'

/**
 * Active codes by the number of their decimals. Codes without a minor unit ("N.A." on the list: metals, bond units, XDR,
 * XSU, XUA, XTS, XXX) are not money and have no row.
 */
const CODES_BY_DECIMALS = [
  [0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'],
  [
    2,
    `
    AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE
    CHF CHW CNY COP COU CRC CUC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ
    GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD
    MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON
    RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS
    UAH USD USN UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG
  `,
  ],
  [3, 'BHD IQD JOD KWD LYD OMR TND'],
  [4, 'CLF UYW'],
] as const

/** Decimals by currency code. */
export const DECIMALS_OF: ReadonlyMap<string, number> = new Map(
  CODES_BY_DECIMALS.flatMap(([decimals, codes]) =>
    codes
      .trim()
      .split(/\s+/)
      .map(code => [code, decimals]),
  ),
)
