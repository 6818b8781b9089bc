/** Where the declarations of GraphQL Armor say other than what it does. */
import type { ApolloServerPlugin } from '@apollo/server'
import { ApolloArmor } from '@escape.tech/graphql-armor'
import type { ValidationRule } from 'graphql'

interface Protection {
  readonly plugins: ApolloServerPlugin[]
  readonly validationRules: ValidationRule[]
}

/** What protects a server so; it is declared by the CommonJS types of Apollo Server, which are not those of its ES modules. */
export const protectionOf = (config: ConstructorParameters<typeof ApolloArmor>[0]): Protection =>
  new ApolloArmor(config).protect() as unknown as Protection
