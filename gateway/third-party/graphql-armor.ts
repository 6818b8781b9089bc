/** GraphQL Armor under types that describe its behaviour, where its own do not. */
import type { ApolloServerPlugin } from '@apollo/server'
import { ApolloArmor } from '@escape.tech/graphql-armor'
import type { ValidationRule } from 'graphql'

interface Protection {
  readonly plugins: ApolloServerPlugin[]
  readonly validationRules: ValidationRule[]
}

/** Makes the protection of a server; GraphQL Armor declares it by the CommonJS types of Apollo Server, which differ. */
export const protectionOf = (config: ConstructorParameters<typeof ApolloArmor>[0]): Protection =>
  new ApolloArmor(config).protect() as unknown as Protection
