/** Code to read and copy: from left to right in every language, scrolled by the keyboard as well. */
import { Fragment, type ReactNode } from 'react'

/** A path or address within a line, which is broken behind its dots and slashes first. */
export function PathText({ path, className = '' }: { readonly path: string; readonly className?: string }) {
  return (
    <code className={`ltr break ${className}`}>
      {path.split(/(?<=[./])/).map((part, index) => (
        <Fragment key={index}>
          {part}
          <wbr />
        </Fragment>
      ))}
    </code>
  )
}

interface CodeProps {
  /** Name of the block for those who do not see it. */
  readonly label: string
  /** The text, or parts of it in colours. */
  readonly text: ReactNode
}

export function Code({ label, text }: CodeProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a section would need a heading of its own.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a long text is scrolled by the keyboard.
    <div className="code" role="region" aria-label={label} tabIndex={0}>
      <pre>{text}</pre>
    </div>
  )
}
