/** Whether the sign-in dialog is open; any view may open it. */
import { createStore } from '../kit/store.ts'

export const signInOpen = createStore(false)

/** Opens the sign-in dialog. */
export const openSignIn = (): void => signInOpen.set(true)
