/** The examples of failures in the OpenAPI documents, and for each the request that it is an example of. */
import type { NewClient } from '#core/access/client-input.ts'
import { restOf } from './both-interfaces.ts'
import { withField, withoutField } from './fields.ts'
import { FIXTURES } from './fixtures/all.ts'
import { type Body, type ServiceFixture, unique } from './fixtures/fixture.ts'
import { readOpenApi } from './openapi.ts'
import type { RestAnswer } from './rest.ts'
import type { Stack } from './stack.ts'

export interface ErrorExample {
  /** Where it stands: the response and its name there, e.g. `Forbidden.role`. */
  readonly name: string
  readonly value: { readonly code: string; readonly status: string; readonly message: string }
}

type Responses = Record<
  string,
  { content: Record<string, { examples?: Record<string, { value: unknown }> }> }
>

const examplesOf = (service: string): ErrorExample[] => {
  const { responses } = readOpenApi(service)['components'] as { responses: Responses }
  return Object.entries(responses).flatMap(([response, { content }]) =>
    Object.entries(content['application/json']!.examples ?? {}).map(([name, { value }]) => ({
      name: `${response}.${name}`,
      value: value as ErrorExample['value'],
    })),
  )
}

/** Every example of a failure in the documents. */
export const ERROR_EXAMPLES = FIXTURES.flatMap(fixture =>
  examplesOf(fixture.name).map(example => ({ service: fixture.name, fixture, example })),
)

/** Means by which an example is produced. */
export interface Stage {
  readonly stack: Stack
  readonly fixture: ServiceFixture
  readonly example: ErrorExample
}

type Produce = (stage: Stage) => Promise<RestAnswer>

const post = async ({ stack, fixture }: Stage, body: Body, token?: string) =>
  restOf(stack)('POST', fixture.path, { token: token ?? (await stack.token()), body })

const get = async ({ stack, fixture }: Stage, path: string, headers: Record<string, string> = {}) =>
  restOf(stack)('GET', fixture.path + path, { token: await stack.token(), headers })

const newClient = ({ stack }: Stage, limits: Partial<NewClient>) =>
  stack.token({ id: `example-${unique()}`, role: 'partner', dummyCards: true, ...limits })

/** The first word of an example's message of a form, as the client that it tells of would have sent it. */
const named = ({ example }: Stage, form: RegExp) => form.exec(example.value.message)![1]!

const OTHER_NUMBER = '96891000008'
const bound = (stage: Stage) => newClient(stage, { phoneNumber: OTHER_NUMBER })
const worth = ({ fixture }: Stage, value: number) =>
  withField(fixture.body(), fixture.money?.amount ?? fixture.points!, value)

/** A fault of the schema for each service. */
const UNFIT: Record<string, (body: Body) => Body> = {
  'postpaid-billing': body => withField(body, 'paymentTransaction.referenceCode', 'r'.repeat(21)),
  prepaid: body => withoutField(body, 'rechargeTransaction.referenceCode'),
  messaging: body => withField(body, 'sender', 's'.repeat(12)),
  loyalty: body => withoutField(body, 'rewardTransaction.clientCorrelatorId'),
  redemption: body => withoutField(body, 'redemptionTransaction.clientCorrelatorId'),
}

const INQUIRY = '/postpaid-billing/v1/customers'
const inquire = async ({ stack }: Stage, query: string, token?: string) =>
  restOf(stack)('GET', `${INQUIRY}?${query}`, { token: token ?? (await stack.token()) })

/** Errors that need a server in trouble. The tests of that trouble produce them. */
export const IN_TROUBLE = ['RequestTimeout.tooLong', 'ServiceUnavailable.tryLater', 'ServerError.unexpected']

/** The request that each of the others answers. */
export const PRODUCE: Readonly<Record<string, Produce>> = {
  'InvalidArgument.schema': stage => post(stage, UNFIT[stage.fixture.name]!(stage.fixture.body())),
  'InvalidArgument.currency': stage =>
    post(stage, withField(stage.fixture.body(), stage.fixture.money!.currency, 'USD')),
  'InvalidArgument.notPrepaid': stage =>
    post(stage, withField(stage.fixture.body(), stage.fixture.phone, '96891000001')),
  'InvalidArgument.noPoints': stage =>
    post(stage, withoutField(stage.fixture.body(), stage.fixture.information!)),
  'InvalidArgument.expired': stage =>
    post(stage, withField(stage.fixture.body(), 'expiryTime', '2020-01-01T00:00:00Z')),
  'InvalidArgument.repeated': async stage => {
    const { body, correlator } = stage.fixture
    const sent = withField(body(), correlator, named(stage, /clientCorrelatorId (\S+)/))
    await post(stage, sent)
    return post(stage, sent)
  },
  'InvalidHeader.correlator': stage => get(stage, `/${unique()}`, { 'x-correlator': 'a b' }),
  'OutOfRange.perPage': stage => get(stage, '?perPage=1001'),
  'InvalidInquiry.unknown': stage => inquire(stage, 'phoneNumber=96899999999'),
  'InvalidInquiry.different': stage => inquire(stage, 'phoneNumber=96891000001&customerAccountNumber=100002'),
  'Unauthorized.noToken': ({ stack, fixture }) =>
    restOf(stack)('POST', fixture.path, { body: fixture.body() }),
  'Forbidden.role': async stage => post(stage, stage.fixture.body(), await stage.stack.token('demo-analyst')),
  'Forbidden.phoneNumberRequired': stage =>
    post(stage, withoutField(stage.fixture.body(), stage.fixture.phone)),
  'Forbidden.invalidTokenContext': async stage => post(stage, stage.fixture.body(), await bound(stage)),
  'Forbidden.unauthorizedAmount': async stage => {
    const token = await newClient(stage, { maxAmount: '100', maxPoints: '100' })
    return post(stage, worth(stage, 150), token)
  },
  'Forbidden.thresholdOverpassed': async stage => {
    const token = await newClient(stage, { monthlyAmount: '500', monthlyPoints: '500' })
    await post(stage, worth(stage, 480), token)
    return post(stage, worth(stage, 30), token)
  },
  'ForbiddenInquiry.phoneNumberRequired': stage => inquire(stage, ''),
  'ForbiddenInquiry.invalidTokenContext': async stage =>
    inquire(stage, 'phoneNumber=96891000001', await bound(stage)),
  'NotFound.unknownId': stage => get(stage, `/${named(stage, / (\S+) not found$/)}`),
  'AlreadyExists.duplicate': async stage => {
    const body = withoutField(stage.fixture.body(), stage.fixture.correlator)
    const reference = named(stage, /referenceCode (\S+)/)
    const sent = withField(body, 'paymentTransaction.referenceCode', reference)
    await post(stage, sent)
    return post(stage, sent)
  },
}

/** Ids of the server are new each time. */
export const withoutIds = <T>(value: T): T =>
  JSON.parse(JSON.stringify(value).replace(/[\da-f]{8}-[\da-f]{4}-7[\da-f-]{21}/g, '<id>'))
