/** Faults of the simulated message centre: chosen at start and changed while it runs. */

/** Faults of the message centre; a count is the number of times that one happens, 0 for never. */
export interface Faults {
  /** Refuses binds with this status, e.g. `ESME_RINVPASWD`; empty to take them. */
  refuseBind: string
  /** Cuts the connection when a message comes, which is not taken. */
  cutUntaken: number
  /** Takes a message, and cuts the connection instead of responding. */
  cutTaken: number
  /** Takes a message, and never responds, while the connection stays. */
  hangTaken: number
  /** Never responds to a message, and does not take it. */
  hangUntaken: number
  /** Takes no more than so many a second, and refuses the others with ESME_RTHROTTLED; 0 for all. */
  perSecond: number
  /** Refuses messages with ESME_RTHROTTLED, whatever their rate. */
  throttle: number
  /** Refuses messages with ESME_RMSGQFUL. */
  queueFull: number
  /** Refuses messages with the status `refuseWith`. */
  refuse: number
  refuseWith: string
  /** Waits so long before it responds to a message, in milliseconds. */
  responseMs: number
  /** Does not respond to enquire_link while 1. */
  silent: number
  /** State in receipts: `DELIVRD`, `EXPIRED`, `UNDELIV`, `REJECTD` and so on. */
  receipt: string
  /** Sends receipts so much later, in milliseconds. */
  receiptMs: number
  /** Receipts that are never sent. */
  loseReceipts: number
  /** Sends every receipt twice while 1. */
  doubleReceipts: number
  /** Sends receipts before it responds to their message, while 1. */
  earlyReceipts: number
  /** How receipts are written: `text`, `tlv`, or `both`. */
  receiptForm: string
  /** Gives our own number of a part back in its receipt while 1. */
  echoReference: number
  /** Gives reference and number in the header of a long text back in its receipt while 1, as `sar` TLVs. */
  echoConcat: number
  /**
   * State in responses to query_sm, in the words of receipts; empty to refuse it with ESME_RQUERYFAIL, `none` where the
   * command is not known, `silent` for no response.
   */
  query: string
  /** The number of the next message's id, counted on; 0 for ids that are texts. */
  nextId: number
  /** How numbers are written in responses, in receipts' texts, and in their TLVs (as in texts where it is empty): `decimal`, `hex`, `HEX`, `padded`, `padded-hex`. */
  responseIds: string
  receiptIds: string
  tlvIds: string
  /** Takes messages without an id in the response. */
  emptyIds: number
  /** The recipient in receipts, in place of the message's own. */
  receiptTo: string
  /** The state of an intermediate notification (esm_class 0x20) that goes before each receipt; empty for none. */
  intermediate: string
}

export const NO_FAULTS: Readonly<Faults> = {
  refuseBind: '',
  cutUntaken: 0,
  cutTaken: 0,
  hangTaken: 0,
  hangUntaken: 0,
  perSecond: 0,
  throttle: 0,
  queueFull: 0,
  refuse: 0,
  refuseWith: 'ESME_RINVDSTADR',
  responseMs: 0,
  silent: 0,
  receipt: 'DELIVRD',
  receiptMs: 0,
  loseReceipts: 0,
  doubleReceipts: 0,
  earlyReceipts: 0,
  receiptForm: 'both',
  echoReference: 1,
  echoConcat: 0,
  query: 'DELIVRD',
  nextId: 0,
  responseIds: 'decimal',
  receiptIds: 'decimal',
  tlvIds: '',
  emptyIds: 0,
  receiptTo: '',
  intermediate: '',
}

const isFault = (name: string): name is keyof Faults => name in NO_FAULTS

/**
 * Changes the named faults.
 * @throws Error for an unknown name, or a value of another type.
 */
export function changeFaults(faults: Faults, changes: Readonly<Record<string, unknown>>): Faults {
  for (const [name, value] of Object.entries(changes)) {
    if (!isFault(name)) throw new Error(`there is no fault ${name}: ${Object.keys(NO_FAULTS).join(', ')}`)
    if (typeof value !== typeof NO_FAULTS[name])
      throw new Error(`${name} must be a ${typeof NO_FAULTS[name]}`)
  }
  return Object.assign(faults, changes)
}

/** Reads the faults that the arguments name, as `name=value`. */
export function readFaults(args: readonly string[]): Faults {
  const pairs = args.map(arg => arg.split('=') as [string, string | undefined])
  const values = pairs.map(([name, text = '1']) => [
    name,
    typeof NO_FAULTS[name as keyof Faults] === 'number' ? Number(text) : text,
  ])
  return changeFaults({ ...NO_FAULTS }, Object.fromEntries(values))
}

/** Names of faults that are counted down. */
type Counted =
  | 'throttle'
  | 'cutUntaken'
  | 'cutTaken'
  | 'hangTaken'
  | 'hangUntaken'
  | 'queueFull'
  | 'refuse'
  | 'loseReceipts'
  | 'emptyIds'

/** Whether a fault happens now; counted down if so. */
export const happens = (faults: Faults, name: Counted): boolean => {
  if (faults[name] <= 0) return false
  faults[name]--
  return true
}
