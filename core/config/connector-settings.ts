/** Declarations of the settings of systems behind the program: charging and SMS. */
import { choice, integer, secret, text } from './setting.ts'

/** Settings of an outside charging system. */
export const CHARGING_SETTINGS = {
  CHARGING: choice(
    ['ledger', 'http'],
    '`http`: a charging system over HTTP settles payments, recharges, rewards and redemptions ([connectors.md](connectors.md)).',
  ),
  CHARGING_URL: text('The base address of the charging system.'),
  CHARGING_TOKEN: secret('The bearer token that it wants.'),
  CHARGING_POSTPAID_BILLING_URL: text('Its address for bill payments.', undefined, '`CHARGING_URL`'),
  CHARGING_PREPAID_URL: text('Its address for recharges.', undefined, '`CHARGING_URL`'),
  CHARGING_LOYALTY_URL: text('Its address for rewards.', undefined, '`CHARGING_URL`'),
  CHARGING_REDEMPTION_URL: text(
    'Its address for redemptions. Services without an address stay with the ledger.',
    undefined,
    '`CHARGING_URL`',
  ),
  CHARGING_CALLBACK_SECRET: secret(
    'The secret, `whsec_…`, that signs its callbacks to `/charging/callbacks`.',
    'unset: it is asked instead',
  ),
  CHARGING_TIMEOUT_MS: integer(10_000, [100, 60_000], 'Milliseconds that a call may take.'),
  CHARGING_PARALLEL: integer(32, [1, 1_000], 'Orders of a kind that may be under way at once.'),
} as const

/** Settings of message centres. */
export const SMS_SETTINGS = {
  SMS: choice(
    ['ledger', 'smpp'],
    '`smpp` sends messages over SMPP ([connectors.md](connectors.md)); `ledger` records them as sent.',
  ),
  SMPP_URL: secret(
    'The message centres: `smpp://system_id:password@host:port?window=10`, `smpps://` for TLS, comma-separated; `centre`, `ids` and `query` for message centres that differ stand in docs/connectors.md; never logged.',
  ),
  SMPP_RESEND_SECONDS: integer(
    30,
    [1, 86_400],
    'Seconds after which a part of a message whose response never came is sent again.',
  ),
  SMPP_RECEIPT_MARGIN_SECONDS: integer(
    3_600,
    [0, 2_592_000],
    "Seconds after a message's expiry that its delivery receipt may come, before the message centre is asked.",
  ),
} as const
