/** Whether a planned operation only reads: its text is the planner's, which begins with its kind or, for a query, need not. */
export const isQuery = (text: string): boolean => /^\s*(query\b|\{)/.test(text)
