/** OTLP as the receiver of the tests reads it: protobuf by the field numbers of `trace.proto`, or JSON, into one form. */

export type Value = string | number | boolean | Value[]

export interface ReceivedLink {
  readonly traceId: string
  readonly spanId: string
}

export interface ReceivedSpan {
  readonly service: string
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string
  readonly name: string
  readonly kind: number
  /** Nanoseconds since 1970. */
  readonly startedAt: number
  readonly endedAt: number
  readonly attributes: Readonly<Record<string, Value>>
  readonly resource: Readonly<Record<string, Value>>
  readonly links: readonly ReceivedLink[]
  /** 2 for an error. */
  readonly status: number
}

/** A field of a message: its number, and its bytes or its number. */
type Field = readonly [number: number, value: Buffer | bigint]

/** Reads the fields of a protobuf message, whatever they mean. */
const fieldsOf = (message: Buffer): Field[] => {
  const fields: Field[] = []
  let at = 0
  const varint = (): bigint => {
    let value = 0n
    for (let shift = 0n; ; shift += 7n) {
      const byte = message[at++]!
      value |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return value
    }
  }
  const bytes = (length: number) => {
    at += length
    return message.subarray(at - length, at)
  }
  while (at < message.length) {
    const tag = Number(varint())
    const [number, wire] = [tag >> 3, tag & 7]
    if (wire === 0) fields.push([number, varint()])
    else if (wire === 1) fields.push([number, bytes(8)])
    else if (wire === 2) fields.push([number, bytes(Number(varint()))])
    else if (wire === 5) fields.push([number, bytes(4)])
    else throw new Error(`wire type ${wire}`)
  }
  return fields
}

const all = (fields: readonly Field[], wanted: number): Buffer[] =>
  fields.filter(([number]) => number === wanted).map(([, value]) => value as Buffer)
const one = (fields: readonly Field[], wanted: number): Buffer => all(fields, wanted)[0] ?? Buffer.alloc(0)
const int = (fields: readonly Field[], wanted: number): number =>
  Number(fields.find(([number]) => number === wanted)?.[1] ?? 0)

const readValue = (message: Buffer): Value => {
  const [field] = fieldsOf(message)
  if (!field) return ''
  const [number, value] = field
  if (number === 1) return (value as Buffer).toString()
  if (number === 2) return value === 1n
  if (number === 3) return Number(BigInt.asIntN(64, value as bigint))
  if (number === 4) return (value as Buffer).readDoubleLE()
  return all(fieldsOf(value as Buffer), 1).map(readValue)
}

const readAttributes = (pairs: readonly Buffer[]): Record<string, Value> =>
  Object.fromEntries(pairs.map(fieldsOf).map(pair => [one(pair, 1).toString(), readValue(one(pair, 2))]))

const hex = (bytes: Buffer) => bytes.toString('hex')
const time = (bytes: Buffer) => Number(bytes.readBigUInt64LE())

const spanOf = (message: Buffer, resource: Record<string, Value>): ReceivedSpan => {
  const span = fieldsOf(message)
  return {
    service: String(resource['service.name']),
    traceId: hex(one(span, 1)),
    spanId: hex(one(span, 2)),
    parentSpanId: hex(one(span, 4)),
    name: one(span, 5).toString(),
    kind: int(span, 6),
    startedAt: time(one(span, 7)),
    endedAt: time(one(span, 8)),
    attributes: readAttributes(all(span, 9)),
    resource,
    links: all(span, 13)
      .map(fieldsOf)
      .map(link => ({ traceId: hex(one(link, 1)), spanId: hex(one(link, 2)) })),
    status: int(fieldsOf(one(span, 15)), 3),
  }
}

/** Reads an `ExportTraceServiceRequest` in protobuf. */
export const spansInProtobuf = (request: Buffer): ReceivedSpan[] =>
  all(fieldsOf(request), 1)
    .map(fieldsOf)
    .flatMap(resourceSpans => {
      const resource = readAttributes(all(fieldsOf(one(resourceSpans, 1)), 1))
      const scopes = all(resourceSpans, 2).map(fieldsOf)
      return scopes.flatMap(scope => all(scope, 2)).map(span => spanOf(span, resource))
    })

interface JsonValue {
  readonly stringValue?: string
  readonly boolValue?: boolean
  readonly intValue?: string | number
  readonly doubleValue?: number
  readonly arrayValue?: { readonly values: readonly JsonValue[] }
}

const readJsonValue = ({ stringValue, boolValue, intValue, doubleValue, arrayValue }: JsonValue): Value =>
  stringValue ??
  boolValue ??
  (intValue === undefined ? undefined : Number(intValue)) ??
  doubleValue ??
  (arrayValue?.values ?? []).map(readJsonValue)

type JsonPairs = readonly { readonly key: string; readonly value: JsonValue }[]

const readJsonAttributes = (pairs: JsonPairs = []): Record<string, Value> =>
  Object.fromEntries(pairs.map(({ key, value }) => [key, readJsonValue(value)]))

/** The same in JSON. */
export const spansInJson = (text: string): ReceivedSpan[] =>
  // biome-ignore lint/suspicious/noExplicitAny: a message of the protocol, read once
  JSON.parse(text).resourceSpans.flatMap((resourceSpans: any) => {
    const resource = readJsonAttributes(resourceSpans.resource?.attributes)
    // biome-ignore lint/suspicious/noExplicitAny: as above
    const spans = resourceSpans.scopeSpans.flatMap((scope: any) => scope.spans)
    // biome-ignore lint/suspicious/noExplicitAny: as above
    return spans.map((span: any) => ({
      service: String(resource['service.name']),
      traceId: span.traceId,
      spanId: span.spanId,
      parentSpanId: span.parentSpanId ?? '',
      name: span.name,
      kind: span.kind,
      startedAt: Number(span.startTimeUnixNano),
      endedAt: Number(span.endTimeUnixNano),
      attributes: readJsonAttributes(span.attributes),
      resource,
      links: (span.links ?? []).map(({ traceId, spanId }: ReceivedLink) => ({ traceId, spanId })),
      status: span.status?.code ?? 0,
    }))
  })
