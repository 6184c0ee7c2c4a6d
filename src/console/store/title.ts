import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'

/** The title of the browser's tab instead of the page's name. */
export const pageTitle = signal<string | undefined>(undefined)

const longest = 60

/** Names the tab after what the page shows, for as long as it is shown. */
export function useTitle(title: string | undefined): void {
  useEffect(() => {
    pageTitle.value = title !== undefined && title.length > longest ? `${title.slice(0, longest)}…` : title
    return () => {
      pageTitle.value = undefined
    }
  }, [title])
}
