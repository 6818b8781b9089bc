/** The schema to read and search: types, their fields, what each is for. */
import {
  buildSchema,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isUnionType,
} from 'graphql'
import { useState } from 'react'
import { useTranslation } from '../../i18n/i18n.tsx'
import { Button } from '../../kit/button.tsx'
import { Icon } from '../../kit/icon.tsx'
import { Empty, Loading, State } from '../../kit/states.tsx'

/** Read once, from the document that the server offers to everybody. */
let loaded: Promise<GraphQLSchema> | undefined

const read = async (): Promise<GraphQLSchema> => {
  const response = await fetch('/schema.graphql')
  if (!response.ok) throw new Error(`/schema.graphql answered ${response.status}`)
  return buildSchema(await response.text(), { assumeValidSDL: true })
}

/** Loads the schema; one that could not be had is asked for again at the next call. */
export function loadSchema(): Promise<GraphQLSchema> {
  loaded ??= read().catch(error => {
    loaded = undefined
    throw error
  })
  return loaded
}

type Field = GraphQLField<unknown, unknown> | GraphQLInputField

const fieldsOf = (type: GraphQLNamedType): Field[] =>
  isObjectType(type) || isInterfaceType(type) || isInputObjectType(type)
    ? Object.values(type.getFields())
    : []

/** Types and fields of which a name has the text, roots of operations first. */
const findIn = (schema: GraphQLSchema, text: string): { type: GraphQLNamedType; field?: Field }[] => {
  const wanted = text.toLowerCase()
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]
  const types = Object.values(schema.getTypeMap())
    .filter(({ name }) => !name.startsWith('__'))
    .toSorted((one, other) => Number(roots.includes(other as never)) - Number(roots.includes(one as never)))
  return types
    .flatMap(type => [
      ...(type.name.toLowerCase().includes(wanted) ? [{ type }] : []),
      ...fieldsOf(type)
        .filter(({ name }) => name.toLowerCase().includes(wanted))
        .map(field => ({ type, field })),
    ])
    .slice(0, 60)
}

interface TypeViewProps {
  readonly schema: GraphQLSchema
  readonly type: GraphQLNamedType
  readonly onOpen: (name: string) => void
}

function FieldView({ field, onOpen }: { field: Field; onOpen: (name: string) => void }) {
  const type = getNamedType(field.type)
  const args = 'args' in field ? field.args : []
  return (
    <li className="schema-field">
      <p className="ltr">
        <code className="schema-name">{field.name}</code>
        {args.length > 0 && (
          <code className="muted">
            ({args.map(({ name, type: of }) => `${name}: ${String(of)}`).join(', ')})
          </code>
        )}
        <code>: </code>
        <button type="button" className="schema-type" onClick={() => onOpen(type.name)}>
          {String(field.type)}
        </button>
      </p>
      {field.description && (
        <p className="muted small" dir="ltr">
          {field.description}
        </p>
      )}
    </li>
  )
}

function TypeView({ schema, type, onOpen }: TypeViewProps) {
  const others = isUnionType(type)
    ? type.getTypes()
    : isInterfaceType(type)
      ? schema.getPossibleTypes(type)
      : []
  return (
    <div className="schema-view">
      <h3 className="ltr">{type.name}</h3>
      {type.description && <p dir="ltr">{type.description}</p>}
      <ul>
        {fieldsOf(type).map(field => (
          <FieldView key={field.name} field={field} onOpen={onOpen} />
        ))}
        {isEnumType(type) &&
          type.getValues().map(({ name, description }) => (
            <li key={name} className="schema-field" dir="ltr">
              <code className="schema-name">{name}</code>
              {description && <p className="muted small">{description}</p>}
            </li>
          ))}
        {others.map(({ name }) => (
          <li key={name}>
            <button type="button" className="schema-type" onClick={() => onOpen(name)}>
              {name}
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}

interface SchemaPanelProps {
  readonly schema: GraphQLSchema | undefined
  readonly fault: string | undefined
}

export function SchemaPanel({ schema, fault }: SchemaPanelProps) {
  const { m } = useTranslation()
  const [path, setPath] = useState<readonly string[]>([])
  const [text, setText] = useState('')
  if (fault) return <State icon="alert" tone="bad" title={fault} />
  if (!schema) return <Loading rows={8} />
  const open = (name: string) => {
    setPath([...path, name])
    setText('')
  }
  const type = schema.getType(path.at(-1) ?? '')
  const found = text ? findIn(schema, text) : []
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]
  return (
    <>
      <div className="row schema-head">
        {path.length > 0 && (
          <Button look="quiet" onClick={() => setPath(path.slice(0, -1))}>
            {path.at(-2) ?? m.graphql.schema}
          </Button>
        )}
        <input
          className="input"
          type="search"
          value={text}
          placeholder={m.graphql.searchSchema}
          aria-label={m.graphql.searchSchema}
          onChange={event => setText(event.target.value)}
        />
      </div>
      {text ? (
        <ul className="schema-view">
          {found.map(one => (
            <li key={`${one.type.name}.${one.field?.name ?? ''}`}>
              <button type="button" className="schema-type" onClick={() => open(one.type.name)}>
                {one.field ? `${one.type.name}.${one.field.name}` : one.type.name}
              </button>
            </li>
          ))}
          {found.length === 0 && <Empty />}
        </ul>
      ) : type ? (
        <TypeView schema={schema} type={type} onOpen={open} />
      ) : (
        <ul className="schema-view">
          {roots.map(
            root =>
              root && (
                <li key={root.name}>
                  <button type="button" className="schema-type" onClick={() => open(root.name)}>
                    {root.name}
                  </button>{' '}
                  <Icon name="next" />
                </li>
              ),
          )}
        </ul>
      )}
    </>
  )
}
